import type { Database, StoredTable } from '@svc/database';
import { DatabaseError, type PoolClient } from 'pg';

import { rowsOf } from '../types/table-columns.ts';

/** 'busy': another one runs on this table, here or in another process. 'gone': the table is no longer there. */
export type UpkeepResult = 'done' | 'busy' | 'gone';

/** The first number of our advisory locks on tables; the second is the table. An arbitrary number that must never change. */
const UPKEEP_LOCK = 731_650_422;
const UNDEFINED_TABLE = '42P01';

/** Rebuilds the indexes and takes the statistics anew, beside those who read and write. */
export function optimizeRows(database: Database, table: StoredTable): Promise<UpkeepResult> {
  return upkeep(database, table, [
    ...(table.indexes.length === 0 ? [] : [`REINDEX TABLE CONCURRENTLY ${rowsOf(table.id)}`]),
    `ANALYZE ${rowsOf(table.id)}`,
  ]);
}

/** Frees the room of rows that are no more, such as those of uploads that failed, beside those who read and write. */
export function vacuumRows(database: Database, table: StoredTable): Promise<UpkeepResult> {
  return upkeep(database, table, [`VACUUM ${rowsOf(table.id)}`]);
}

/** These statements stand in no transaction, so the lock is the session's, and the session is one. */
async function upkeep(database: Database, table: StoredTable, statements: readonly string[]): Promise<UpkeepResult> {
  return database.session(async (client) => {
    if (!(await tryLock(client, table.id))) return 'busy';
    try {
      await client.query('SET statement_timeout = 0');
      for (const statement of statements) await client.query(statement);
      return 'done';
    } catch (error) {
      if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return 'gone';
      throw error;
    } finally {
      await client.query('RESET statement_timeout');
      await client.query('SELECT pg_advisory_unlock($1, $2)', lockOf(table.id));
    }
  });
}

async function tryLock(client: PoolClient, tableId: number): Promise<boolean> {
  const { rows } = await client.query<{ readonly isOurs: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS "isOurs"', lockOf(tableId));
  return rows[0]?.isOurs ?? false;
}

/** Advisory locks take two numbers of 32 bits. */
function lockOf(tableId: number): number[] {
  return [UPKEEP_LOCK, tableId % 2 ** 31];
}
