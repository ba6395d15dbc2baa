import { sql, type Kysely } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import { ALL_MIGRATIONS } from './all-migrations.ts';
import type { Migration } from './migration.ts';

/**
 * Compatibility of the program with the database's schema: the version the program was written for (`current`), a newer
 * compatible one (`newer`), a newer incompatible one (`ahead`), or an older one (`behind`).
 */
export type SchemaStatus =
  | { readonly kind: 'current'; readonly version: number }
  | { readonly kind: 'newer' | 'behind' | 'ahead'; readonly version: number; readonly expected: number };

/** Reads the schema version for the readiness check. Rejects if the database is unreachable. */
export async function schemaStatus(db: Kysely<Schema>, migrations: readonly Migration[] = ALL_MIGRATIONS): Promise<SchemaStatus> {
  const version = await readVersion(db);
  const expected = newestVersion(migrations);
  if (version === expected) return { kind: 'current', version };
  if (version < expected) return { kind: 'behind', version, expected };
  return { kind: (await isBroken(db, expected)) ? 'ahead' : 'newer', version, expected };
}

/** Returns the schema version; 0 if nothing was migrated. */
export async function readVersion(db: Kysely<Schema>): Promise<number> {
  const table = await sql<{ readonly exists: boolean }>`SELECT to_regclass('schema_versions') IS NOT NULL AS exists`.execute(db);
  if (table.rows[0]?.exists !== true) return 0;
  const row = await db
    .selectFrom('schema_versions')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** Returns whether a migration after `expected` is incompatible with programs of that version. The database is at version 10 or later. */
async function isBroken(db: Kysely<Schema>, expected: number): Promise<boolean> {
  const breaking = await db
    .selectFrom('schema_versions')
    .select('version')
    .where('version', '>', expected)
    .where('breaks_older', '=', true)
    .executeTakeFirst();
  return breaking !== undefined;
}

/** The version that a list of migrations leads to. */
export function newestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}
