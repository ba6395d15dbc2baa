import type { Database, StoredTable } from '@svc/database';
import type { PoolClient } from 'pg';

/** An advisory lock on a table: its first number is the purpose. */
export interface TableLock {
  readonly lock: number;
  readonly table: Pick<StoredTable, 'id'>;
  /** The limit for the answer to each statement; the usual one of a session if undefined. */
  readonly answerMs?: number;
}

/** Works with a lock that the session holds outside transactions. Undefined if another session holds it. */
export async function withTableLock<Result>(
  database: Database,
  { lock, table, answerMs }: TableLock,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result | undefined> {
  // Advisory locks have two 32-bit keys.
  const numbers = [lock, table.id % 2 ** 31];
  return database.session(async (client) => {
    const { rows } = await client.query<{ readonly isOurs: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS "isOurs"', numbers);
    if (rows[0]?.isOurs !== true) return undefined;
    try {
      return await work(client);
    } finally {
      // A broken session has no locks; its error has been thrown already.
      await client.query('SELECT pg_advisory_unlock($1, $2)', numbers).catch(() => undefined);
    }
  }, answerMs);
}
