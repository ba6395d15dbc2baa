import { setTimeout as sleep } from 'node:timers/promises';

import { sql, type Kysely, type Transaction } from 'kysely';

import { isLockTimeout } from '../connection/lock-timeout.ts';
import { openDatabase } from '../connection/open-database.ts';
import type { Schema } from '../connection/schema.ts';
import { ALL_MIGRATIONS } from './all-migrations.ts';
import { DowngradeError } from './downgrade-error.ts';
import type { Migration } from './migration.ts';
import { SchemaTooNewError } from './schema-too-new-error.ts';
import { newestVersion, readVersion, schemaStatus } from './schema-status.ts';

/** Result of a migration run. */
export interface MigrationResult {
  /** The version found; 0 in an empty database. */
  readonly from: number;
  /** The version that the database has now. */
  readonly to: number;
}

/** Key of the migration's advisory lock. An arbitrary number that must never change. */
const MIGRATION_LOCK = 7_316_504_211;
/**
 * While a step waits for a table's lock, all others queue behind it. So it waits briefly, less than PostgreSQL's deadlock
 * timeout, and the run restarts after a pause in which the services proceed.
 */
const LOCK_TIMEOUT_MS = 500;
const PAUSE_MS = 1_000;
const MOST_TRIES = 40;

/**
 * Migrates the database at `url` to the newest version. Idempotent, safe from several processes at once (they wait for one
 * another), and while services run. All steps are one transaction, so that a failure changes nothing. A newer database stays
 * unchanged; throws SchemaTooNewError if this program cannot work with it.
 */
export async function migrate(url: string): Promise<MigrationResult> {
  return withDatabase(url, (db) => applyMigrations(db, ALL_MIGRATIONS));
}

/**
 * Reverts the database at `url` to a version, by default the previous one. If this program cannot do that, throws
 * DowngradeError and changes nothing.
 */
export async function migrateDown(url: string, to?: number): Promise<MigrationResult> {
  return withDatabase(url, (db) => revertMigrations(db, ALL_MIGRATIONS, to));
}

/** Like `migrate`, on an open database and with the given steps. */
export async function applyMigrations(db: Kysely<Schema>, migrations: readonly Migration[]): Promise<MigrationResult> {
  const newest = newestVersion(migrations);
  return inTurn(db, async (transaction) => {
    const from = await readVersion(transaction);
    const status = await schemaStatus(transaction, migrations);
    if (status.kind === 'ahead') throw new SchemaTooNewError(from, newest);
    if (status.kind === 'newer') return { from, to: from };
    if (from === 0) await createVersionTable(transaction);
    for (const migration of migrations.filter(({ version }) => version > from)) {
      await migration.up(transaction);
      const { version, name, breaksOlder } = migration;
      // The column is not there before version 10.
      const row = { version, name, ...(breaksOlder === true && { breaks_older: true }) };
      await transaction.insertInto('schema_versions').values(row).execute();
    }
    return { from, to: newest };
  });
}

/** Like `migrateDown`, on an open database and with the given steps. */
export async function revertMigrations(db: Kysely<Schema>, migrations: readonly Migration[], to?: number): Promise<MigrationResult> {
  return inTurn(db, async (transaction) => {
    const from = await readVersion(transaction);
    const target = to ?? Math.max(from - 1, 0);
    if (target > from) throw new DowngradeError(`The database has schema version ${from}, which is older than ${target}.`);
    if (from > newestVersion(migrations))
      throw new DowngradeError(
        `The database has schema version ${from}, and this program knows versions up to ${newestVersion(migrations)}: ` +
          'only the program that brought the database to a version can take it back.',
      );
    for (const { version, name, down } of migrations.filter((step) => step.version > target && step.version <= from).toReversed()) {
      if (down === undefined) throw new DowngradeError(`Schema version ${version} (${name}) cannot be taken back: restore a backup.`);
      await transaction.deleteFrom('schema_versions').where('version', '=', version).execute();
      await down(transaction);
    }
    return { from, to: target };
  });
}

async function withDatabase<Result>(url: string, use: (db: Kysely<Schema>) => Promise<Result>): Promise<Result> {
  const database = openDatabase({ url, applicationName: 'svc-migrate', maxConnections: 1, statementTimeoutMs: 0 });
  try {
    return await use(database.db);
  } finally {
    await database.close();
  }
}

/** Runs steps in a transaction, one process at a time. Retries if a service held a required lock for too long. */
async function inTurn<Result>(db: Kysely<Schema>, steps: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(async (transaction) => {
        await waitForTurn(transaction);
        return steps(transaction);
      });
    } catch (error) {
      if (!isLockTimeout(error) || tries === MOST_TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** A migration may take longer than a service's statement, and waits for another process's migration, with a limit. */
async function waitForTurn(transaction: Transaction<Schema>): Promise<void> {
  await sql`SET LOCAL statement_timeout = 0`.execute(transaction);
  await sql`SET LOCAL lock_timeout = '60s'`.execute(transaction);
  await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
  await sql`SET LOCAL lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
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
