import type { Schema, StoredTable } from '@svc/database';
import { sql, type Transaction } from 'kysely';

import { columnsOf } from '../table-rows.ts';
import { columnNames, indexName, rowsOf } from '../types/table-columns.ts';
import { lockRows } from './lock-rows.ts';

/**
 * Columns of a keyed table that record the origin of a row. No field's column has such a name. The topic distinguishes
 * offsets of different topics; the key is the message's, by which a message without a row removes the rows of its key.
 */
export const SOURCE_COLUMNS = {
  topic: 'source_topic',
  partition: 'source_partition',
  offset: 'source_offset',
  key: 'source_key',
} as const;

/**
 * Gives an empty table key fields, so that it keeps the latest row of each value, and returns its new definition; null for a
 * table with rows. Part of the transaction that stores the definition. Throws PostgreSQL's 55P03 if the rows are in use for
 * long.
 */
export async function keepLatest(
  transaction: Transaction<Schema>,
  table: StoredTable,
  keyFields: readonly string[],
): Promise<StoredTable | null> {
  await lockRows(transaction, table);
  const rows = rowsOf(table.id);
  const { rows: found } = await sql.raw<object>(`SELECT FROM ${rows} LIMIT 1`).execute(transaction);
  if (found.length > 0) return null;
  const { topic, partition, offset, key } = SOURCE_COLUMNS;
  await sql
    .raw(
      `ALTER TABLE ${rows} ADD COLUMN ${topic} uuid, ADD COLUMN ${partition} integer, ADD COLUMN ${offset} bigint, ADD COLUMN ${key} bytea`,
    )
    .execute(transaction);
  // A hash index accepts keys of any length, a B-tree does not.
  await sql.raw(`CREATE INDEX t${table.id}_source ON ${rows} USING hash (${key})`).execute(transaction);
  const index = { name: null, fields: keyFields, unique: true };
  const isThere = table.indexes.some(({ fields, unique }) => unique && JSON.stringify(fields) === JSON.stringify(keyFields));
  if (isThere) return { ...table, keyFields };
  const names = columnNames(columnsOf(table), keyFields).join(', ');
  await sql.raw(`CREATE UNIQUE INDEX ${indexName(table.id, table.indexes.length + 1)} ON ${rows} (${names})`).execute(transaction);
  return { ...table, indexes: [...table.indexes, index], keyFields };
}
