import type { Schema, StoredTable } from '@svc/database';
import { sql, type Transaction } from 'kysely';

import { columnsOf } from '../table-rows.ts';
import { rowsOf } from '../types/table-columns.ts';
import { lockRows } from './lock-rows.ts';

/**
 * Adds the missing columns of a wider type, whose fields are those of the table followed by nullable ones. Existing rows
 * have NULL in them. Part of the transaction that stores the new type. Throws PostgreSQL's 55P03 if the rows are in use for
 * long.
 */
export async function widenRows(transaction: Transaction<Schema>, table: StoredTable, type: string): Promise<void> {
  const added = columnsOf({ type }).columns.slice(columnsOf(table).columns.length);
  await lockRows(transaction, table);
  await sql
    .raw(`ALTER TABLE ${rowsOf(table.id)} ${added.map(({ name, sqlType }) => `ADD COLUMN ${name} ${sqlType}`).join(', ')}`)
    .execute(transaction);
}
