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

/** Does some work of a transaction, or undoes it where the table refuses a row of it. Throws what is wrong with the database. */
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
