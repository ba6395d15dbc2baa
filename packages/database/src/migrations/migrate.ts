import { sql, type Kysely, type Transaction } from 'kysely';

import { openDatabase } from '../connection/open-database.ts';
import type { Schema } from '../connection/schema.ts';
import { ALL_MIGRATIONS } from './all-migrations.ts';
import type { Migration } from './migration.ts';
import { SchemaTooNewError } from './schema-too-new-error.ts';
import { newestVersion, readVersion } from './schema-status.ts';

/** What a migration run did. */
export interface MigrationResult {
  /** The version found; 0 in an empty database. */
  readonly from: number;
  /** The version that the database has now. */
  readonly to: number;
}

/** Identifies our lock among the advisory locks of the database. An arbitrary number that must never change. */
const MIGRATION_LOCK = 7_316_504_211;

/**
 * Brings the database at `url` to the newest version. Safe to run twice, and from several processes at once: they wait for one another.
 * All steps are one transaction, so that a failure leaves what was there. Throws SchemaTooNewError, changing nothing, where the database
 * is ahead of this program.
 */
export async function migrate(url: string): Promise<MigrationResult> {
  const database = openDatabase({ url, applicationName: 'svc-migrate', maxConnections: 1, statementTimeoutMs: 0 });
  try {
    return await applyMigrations(database.db, ALL_MIGRATIONS);
  } finally {
    await database.close();
  }
}

/** As `migrate`, over an open database and with the given steps. */
export async function applyMigrations(db: Kysely<Schema>, migrations: readonly Migration[]): Promise<MigrationResult> {
  const newest = newestVersion(migrations);
  return db.transaction().execute(async (transaction) => {
    await waitForTurn(transaction);
    const from = await readVersion(transaction);
    if (from > newest) throw new SchemaTooNewError(from, newest);
    if (from === 0) await createVersionTable(transaction);
    for (const migration of migrations.filter(({ version }) => version > from)) {
      await migration.up(transaction);
      await transaction.insertInto('schema_versions').values({ version: migration.version, name: migration.name }).execute();
    }
    return { from, to: newest };
  });
}

/** A migration may take longer than a statement of a service, and waits for another process's migration, but not for ever. */
async function waitForTurn(transaction: Transaction<Schema>): Promise<void> {
  await sql`SET LOCAL statement_timeout = 0`.execute(transaction);
  await sql`SET LOCAL lock_timeout = '60s'`.execute(transaction);
  await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
}

async function createVersionTable(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE IF NOT EXISTS schema_versions (
      version integer PRIMARY KEY,
      name text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )
  `.execute(transaction);
}
