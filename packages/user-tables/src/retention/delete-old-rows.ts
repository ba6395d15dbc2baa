import type { Database, Schema, StoredTable } from '@svc/database';
import type { Transaction } from 'kysely';
import type { PoolClient } from 'pg';

import { parseInterval } from './interval-text.ts';
import { columnsOf } from '../table-rows.ts';
import { columnNames, rowsOf } from '../types/table-columns.ts';
import { setLocally } from '../set-locally.ts';
import { withTableLock } from '../upkeep/table-lock.ts';
import type { Retention } from './read-retention.ts';

/** Options of deleting a batch of old rows. */
export interface OldRowsOptions {
  /** Aborted, no further batch begins. */
  readonly signal: AbortSignal;
  readonly rowsAtOnce?: number;
  /**
   * Called in the transaction of each batch. Calls `remove`, which returns the number of deleted rows, and returns its
   * result. Returns null without a call to end the work.
   */
  readonly inBatch: (transaction: Transaction<Schema>, remove: () => Promise<OldRowsBatch>) => Promise<OldRowsBatch | null>;
}

/** Result of a batch. */
export interface OldRowsBatch {
  readonly deleted: number;
  /** Rows with an earlier timestamp are old: `2026-11-20T09:15:00.123`, in UTC. */
  readonly before: string;
  /** True if no old rows are left. */
  readonly isLast: boolean;
}

/** 'busy': another process deletes rows of the table. 'stopped': there may be more. */
export type OldRowsResult = 'done' | 'busy' | 'stopped';

/** First key of our advisory locks on tables whose old rows are deleted. An arbitrary number that must never change. */
const RETENTION_LOCK = 731_650_424;
const ROWS_AT_ONCE = 5_000;
const SETTINGS = { statement_timeout: '120s', lock_timeout: '10s' };

/**
 * Deletes the rows whose timestamp exceeds the retention, in batches with a transaction each, so that others wait only
 * briefly. One process at a time per table. Rows that are being changed, and those without a timestamp, stay.
 */
export async function deleteOldRows(
  database: Database,
  { table, retention }: { readonly table: StoredTable; readonly retention: Retention },
  { signal, rowsAtOnce = ROWS_AT_ONCE, inBatch }: OldRowsOptions,
): Promise<OldRowsResult> {
  const [column = ''] = columnNames(columnsOf(table), [retention.field]);
  const remove = removeStatement(rowsOf(table.id), column);
  const result = await withTableLock(database, { lock: RETENTION_LOCK, table }, async (client): Promise<OldRowsResult> => {
    const before = await oldBefore(client, retention);
    while (!signal.aborted) {
      const batch = await database.transaction(async (at) => {
        await setLocally(at.transaction, SETTINGS);
        return inBatch(at.transaction, async () => {
          const { rowCount } = await at.client.query(remove, [before, rowsAtOnce]);
          const deleted = rowCount ?? 0;
          return { deleted, before, isLast: deleted < rowsAtOnce };
        });
      });
      if (batch === null) return 'stopped';
      if (batch.isLast) return 'done';
    }
    return 'stopped';
  });
  return result ?? 'busy';
}

/** The time before which rows are old now, by the clock of the database. */
async function oldBefore(client: PoolClient, { interval }: Retention): Promise<string> {
  const parts = parseInterval(interval);
  if (parts === undefined) throw new Error('The interval of a retention was checked when it was set.');
  const { rows } = await client.query<{ readonly before: string }>(
    `SELECT to_char((now() AT TIME ZONE 'UTC') - make_interval(months => $1, days => $2, secs => $3), 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS before`,
    [parts.months, parts.days, parts.micros / 1_000_000],
  );
  return rows[0]?.before ?? '';
}

/** The condition is checked again for a row changed since it was found. */
function removeStatement(rows: string, column: string): string {
  const isOld = `${column} < $1::timestamp`;
  return `DELETE FROM ${rows} WHERE ${isOld} AND ctid = ANY (ARRAY (
    SELECT ctid FROM ${rows} WHERE ${isOld} ORDER BY ${column} LIMIT $2 FOR UPDATE SKIP LOCKED
  ))`;
}
