import { setTimeout as delay } from 'node:timers/promises';

import { isDeadlock, isLockTimeout, type Database, type StoredTable } from '@svc/database';
import { DatabaseError, type PoolClient } from 'pg';

import { rowsOf } from '../types/table-columns.ts';
import { withTableLock } from './table-lock.ts';

/**
 * 'busy': another upkeep runs on this table, in this process or another, or writers or its deletion prevented its completion.
 * 'gone': the table no longer exists.
 */
export type UpkeepResult = 'done' | 'busy' | 'gone';

/** Time limits of upkeep, and its abort signal. */
export interface UpkeepOptions {
  /** Maximum time each step waits for writers, who never wait for it. */
  readonly waitMillis?: number;
  /** If aborted, ends the work immediately and throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** First key of our advisory locks for the upkeep of tables. An arbitrary number that must never change. */
const UPKEEP_LOCK = 731_650_422;
const UNDEFINED_TABLE = '42P01';
const WAIT_MILLIS = 60_000;
const STATEMENT_MILLIS = 3_600_000;
/** Time for the server to report that a statement exceeded its limit. */
const ANSWER_MILLIS = STATEMENT_MILLIS + 5_000;
/** Interval of cancel requests: one that arrives before the statement has started has no effect. */
const CANCEL_MILLIS = 250;

/**
 * Rebuilds the indexes and updates the statistics, concurrently with readers and writers. An interrupted rebuild leaves an
 * invalid index; the next one removes it.
 */
export function optimizeRows(database: Database, table: StoredTable, options: UpkeepOptions = {}): Promise<UpkeepResult> {
  const rows = rowsOf(table.id);
  return upkeep(database, table, options, async (client) => {
    for (const index of await brokenIndexes(client, rows)) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
    if (table.indexes.length > 0) await client.query(`REINDEX TABLE CONCURRENTLY ${rows}`);
    await client.query(`ANALYZE ${rows}`);
  });
}

/** Frees the space of dead rows, such as those of failed uploads, without blocking readers and writers. */
export function vacuumRows(database: Database, table: StoredTable, options: UpkeepOptions = {}): Promise<UpkeepResult> {
  return upkeep(database, table, options, async (client) => {
    await client.query(`VACUUM ${rowsOf(table.id)}`);
  });
}

/** Runs work on a table, one at a time. The statements run outside transactions, so one session holds the lock. */
export async function upkeep(
  database: Database,
  table: StoredTable,
  { waitMillis = WAIT_MILLIS, signal }: UpkeepOptions,
  work: (client: PoolClient) => Promise<void>,
): Promise<UpkeepResult> {
  const result = await withTableLock(
    database,
    { lock: UPKEEP_LOCK, table, answerMs: ANSWER_MILLIS },
    async (client): Promise<UpkeepResult> => {
      try {
        await client.query(`SET statement_timeout = ${STATEMENT_MILLIS}`);
        await client.query(`SET lock_timeout = ${waitMillis}`);
        await untilAborted(() => work(client), { database, client, signal });
        return 'done';
      } catch (error) {
        if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return 'gone';
        if (isLockTimeout(error) || isDeadlock(error)) return 'busy';
        throw error;
      } finally {
        await giveBack(client);
      }
    },
  );
  return result ?? 'busy';
}

/** Runs work, and cancels the current statement when the signal aborts; the session cannot be used afterwards. */
async function untilAborted(
  work: () => Promise<void>,
  at: { readonly database: Database; readonly client: PoolClient; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { database, client, signal } = at;
  if (signal === undefined) return work();
  const { rows } = await client.query<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid');
  signal.throwIfAborted();
  const over = new AbortController();
  let cancelled: Promise<void> | null = null;
  const cancel = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await database.session((other) => other.query('SELECT pg_cancel_backend($1)', [rows[0]?.pid])).catch(ignore);
      await delay(CANCEL_MILLIS, undefined, { signal: over.signal }).catch(ignore);
    }
  };
  const onAbort = (): void => void (cancelled = cancel());
  signal.addEventListener('abort', onAbort);
  try {
    await work();
  } catch (thrown) {
    throw signal.aborted ? signal.reason : thrown;
  } finally {
    over.abort();
    signal.removeEventListener('abort', onAbort);
    await (cancelled as Promise<void> | null); // until then nobody else may have the session's number
  }
  signal.throwIfAborted();
}

function ignore(): void {}

async function giveBack(client: PoolClient): Promise<void> {
  try {
    await client.query('RESET statement_timeout');
    await client.query('RESET lock_timeout');
  } catch {
    // A broken session has no settings; its error has been thrown already.
  }
}

/** Returns indexes of a table, or of its TOAST table, that a rebuild has started but not finished. */
async function brokenIndexes(client: PoolClient, rows: string): Promise<readonly string[]> {
  const found = await client.query<{ readonly name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = $1::regclass
     WHERE NOT indisvalid AND indrelid IN (pg_class.oid, pg_class.reltoastrelid)`,
    [rows],
  );
  return found.rows.map(({ name }) => name);
}
