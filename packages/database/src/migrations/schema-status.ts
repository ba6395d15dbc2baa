import { sql, type Kysely } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import { ALL_MIGRATIONS } from './all-migrations.ts';
import type { Migration } from './migration.ts';

/** Whether the database has the schema that this program was written for. */
export type SchemaStatus =
  | { readonly kind: 'current'; readonly version: number }
  | { readonly kind: 'behind' | 'ahead'; readonly version: number; readonly expected: number };

/** Asks the database, for readiness. Rejects where it cannot be reached. */
export async function schemaStatus(db: Kysely<Schema>): Promise<SchemaStatus> {
  const version = await readVersion(db);
  const expected = newestVersion(ALL_MIGRATIONS);
  if (version === expected) return { kind: 'current', version };
  return { kind: version < expected ? 'behind' : 'ahead', version, expected };
}

/** The version of the database; 0 where nothing was ever migrated. */
export async function readVersion(db: Kysely<Schema>): Promise<number> {
  const table = await sql<{ readonly exists: boolean }>`SELECT to_regclass('schema_versions') IS NOT NULL AS exists`.execute(db);
  if (table.rows[0]?.exists !== true) return 0;
  const row = await db
    .selectFrom('schema_versions')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** The version that a list of migrations leads to. */
export function newestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}
