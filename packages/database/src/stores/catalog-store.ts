import { sql, type Kysely } from 'kysely';

import type { Schema, StoredUse } from '../connection/schema.ts';
import type { StoredIndex } from '../connection/stored-index.ts';
import { nameKey } from './name-space.ts';
import { NamespaceStore } from './namespace-store.ts';

/** Definition of a stored object, for the checker. */
export type CatalogEntry =
  | {
      readonly kind: 'view' | 'package';
      readonly name: string;
      readonly text: string;
      readonly type: string;
      readonly uses: readonly StoredUse[];
    }
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly type: string;
      readonly id: number;
      readonly indexes: readonly StoredIndex[];
      readonly location: string | null;
    };

/** Entries as they were together at one version of the namespace's catalogue. */
export interface CatalogSnapshot {
  readonly version: number;
  readonly entries: readonly CatalogEntry[];
}

/** The stored objects of a namespace, of every kind, as queries see them: case-insensitive names, one version for all. */
export class CatalogStore {
  readonly #db: Kysely<Schema>;
  readonly #namespaces: NamespaceStore;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
    this.#namespaces = new NamespaceStore({ db });
  }

  /** Returns the version of a namespace's catalogue; 0 if nothing was stored in it. */
  version(namespace: string): Promise<number> {
    return this.#namespaces.readVersion(namespace);
  }

  /**
   * Returns the views, tables and packages of these names in any spelling, with the version of the catalogue: one statement,
   * one snapshot. A package may share its name with a view or a table.
   */
  async findNames(namespace: string, names: readonly string[]): Promise<CatalogSnapshot> {
    return this.#snapshot(namespace, [...new Set(names.map(nameKey))]);
  }

  /** Everything in a namespace, in code-point order of names. */
  async listAll(namespace: string): Promise<CatalogSnapshot> {
    return this.#snapshot(namespace, null);
  }

  /** The names of everything in a namespace: for suggestions and completion. */
  async listNames(namespace: string): Promise<readonly StoredUse[]> {
    const { rows } = await sql<StoredUse>`
      SELECT kind, name FROM named_objects WHERE namespace = ${namespace}
      UNION ALL
      SELECT 'package', name FROM packages WHERE namespace = ${namespace}
      ORDER BY name, kind
    `.execute(this.#db);
    return rows;
  }

  /** Returns the views and packages that use an object directly, in code-point order of names. */
  async findUsers(namespace: string, used: StoredUse): Promise<readonly StoredUse[]> {
    const { rows } = await sql<StoredUse>`
      SELECT kind, name
      FROM (
        SELECT 'view' AS kind, name, uses FROM views WHERE namespace = ${namespace}
        UNION ALL
        SELECT 'package', name, uses FROM packages WHERE namespace = ${namespace}
      ) AS users
      WHERE EXISTS (
        SELECT FROM jsonb_array_elements(uses) AS use
        WHERE use ->> 'kind' = ${used.kind} AND lower(use ->> 'name') = ${nameKey(used.name)}
      )
      ORDER BY name, kind
    `.execute(this.#db);
    return rows;
  }

  async #snapshot(namespace: string, keys: readonly string[] | null): Promise<CatalogSnapshot> {
    const { rows } = await sql<CatalogSnapshot>`
      WITH entries AS (
        SELECT name, jsonb_build_object('kind', 'view', 'name', name, 'text', text, 'type', type, 'uses', uses) AS entry
        FROM views WHERE namespace = ${namespace} AND (${keys}::text[] IS NULL OR name_key = ANY (${keys}::text[]))
        UNION ALL
        SELECT name, jsonb_build_object('kind', 'package', 'name', name, 'text', text, 'type', type, 'uses', uses)
        FROM packages WHERE namespace = ${namespace} AND (${keys}::text[] IS NULL OR name_key = ANY (${keys}::text[]))
        UNION ALL
        SELECT name, jsonb_build_object('kind', 'table', 'name', name, 'type', type, 'id', id, 'indexes', indexes, 'location', location)
        FROM tables WHERE namespace = ${namespace} AND (${keys}::text[] IS NULL OR name_key = ANY (${keys}::text[]))
      )
      SELECT coalesce((SELECT version FROM namespaces WHERE namespace = ${namespace}), 0) AS version,
        coalesce((SELECT jsonb_agg(entry ORDER BY name, entry ->> 'kind') FROM entries), '[]') AS entries
    `.execute(this.#db);
    return rows[0] ?? { version: 0, entries: [] };
  }
}
