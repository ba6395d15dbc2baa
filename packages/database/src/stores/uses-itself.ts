import { sql, type Transaction } from 'kysely';

import type { Schema, StoredUse } from '../connection/schema.ts';
import { nameKey } from './name-space.ts';

/** A text to store, and the objects that it uses. */
interface UsingText {
  readonly namespace: string;
  readonly name: string;
  readonly uses: readonly StoredUse[];
}

/** Returns a look-up of whether a view or a package uses itself through stored texts. */
export function usesItself(kind: 'view' | 'package', { namespace, name, uses }: UsingText) {
  return async (transaction: Transaction<Schema>): Promise<boolean> => {
    if (uses.every((use) => use.kind === 'table')) return false;
    const { rows } = await sql<{ readonly isFound: boolean }>`
      WITH RECURSIVE texts AS NOT MATERIALIZED (
        SELECT 'view' AS kind, name_key, uses FROM views WHERE namespace = ${namespace}
        UNION ALL
        SELECT 'package', name_key, uses FROM packages WHERE namespace = ${namespace}
      ),
      used AS (
        SELECT use ->> 'kind' AS kind, lower(use ->> 'name') AS name_key FROM jsonb_array_elements(${JSON.stringify(uses)}::jsonb) AS use
        UNION
        SELECT use ->> 'kind', lower(use ->> 'name')
        FROM used JOIN texts USING (kind, name_key) CROSS JOIN jsonb_array_elements(texts.uses) AS use
      )
      SELECT EXISTS (SELECT FROM used WHERE kind = ${kind} AND name_key = ${nameKey(name)}) AS "isFound"
    `.execute(transaction);
    return rows[0]?.isFound === true;
  };
}
