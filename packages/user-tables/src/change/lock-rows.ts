import { setTimeout as delay } from 'node:timers/promises';

import { isLockTimeout, type Schema, type StoredTable } from '@svc/database';
import { sql, type Transaction } from 'kysely';

import { setLocally } from '../set-locally.ts';
import { rowsOf } from '../types/table-columns.ts';

/** Readers and writers queue behind an attempt, so each is short. */
const ATTEMPT_MS = 200;
const PAUSE_MS = 100;
const LIMIT_MS = 10_000;

/**
 * Locks the rows of a table exclusively until the transaction ends, without making readers and writers wait for long. Throws
 * PostgreSQL's 55P03 if they are continuously in use.
 */
export async function lockRows(transaction: Transaction<Schema>, table: Pick<StoredTable, 'id'>): Promise<void> {
  await setLocally(transaction, { lock_timeout: `${ATTEMPT_MS}ms` });
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    await sql`SAVEPOINT lock_rows`.execute(transaction);
    try {
      await sql.raw(`LOCK TABLE ${rowsOf(table.id)} IN ACCESS EXCLUSIVE MODE`).execute(transaction);
      return;
    } catch (thrown) {
      if (!isLockTimeout(thrown) || performance.now() > deadline) throw thrown;
      await sql`ROLLBACK TO SAVEPOINT lock_rows`.execute(transaction);
    }
    await delay(PAUSE_MS);
  }
}
