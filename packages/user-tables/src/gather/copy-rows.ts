import type { StoredTable } from '@svc/database';
import * as copyStreams from 'pg-copy-streams';
import { DatabaseError, type PoolClient } from 'pg';

import { refusalOf, refusalText } from '../append/refusal.ts';
import type { RangeRefusal } from './store-ranges.ts';

/** Sends rows in the text format of COPY. `target` is a table with its columns, as SQL. */
export async function copyRows(client: PoolClient, target: string, rows: readonly Buffer[]): Promise<void> {
  const sink = client.query(copyStreams.from(`COPY ${target} FROM STDIN`));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  sink.once('error', reject).once('finish', resolve);
  sink.end(Buffer.concat(rows));
  await promise;
}

/** Runs a part of a transaction, and rolls it back if the table rejects a row of it. Throws errors of the database. */
export async function untilRefused(client: PoolClient, table: StoredTable, work: () => Promise<void>): Promise<RangeRefusal | null> {
  await client.query('SAVEPOINT rows');
  try {
    await work();
  } catch (thrown) {
    const refusal = thrown instanceof DatabaseError ? refusalOf(thrown, table) : null;
    if (refusal === null) throw thrown;
    await client.query('ROLLBACK TO SAVEPOINT rows');
    return { row: refusal.row, problem: refusalText(refusal) };
  }
  await client.query('RELEASE SAVEPOINT rows');
  return null;
}
