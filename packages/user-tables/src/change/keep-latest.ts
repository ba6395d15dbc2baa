import type { Schema, StoredTable } from '@svc/database';
import { sql, type Transaction } from 'kysely';

import { columnsOf } from '../table-rows.ts';
import { columnNames, indexName, rowsOf } from '../types/table-columns.ts';
import { lockRows } from './lock-rows.ts';

/**
 * The columns in which a table with key fields keeps where a row came from. No name of a field's column is like them. The topic tells offsets
 * of one topic from those of another; the key is the message's, by which a message without a row removes what its key has stored.
 */
export const SOURCE_COLUMNS = {
  topic: 'source_topic',
  partition: 'source_partition',
  offset: 'source_offset',
  key: 'source_key',
} as const;

/**
 * Makes an empty table keep one row for each value of some fields, its latest, and answers what it has become; null for a table that has
 * rows. Belongs into the transaction that stores that. Throws PostgreSQL's 55P03 where somebody uses the rows for long.
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
  // Any length of key, which a B-tree would not take.
  await sql.raw(`CREATE INDEX t${table.id}_source ON ${rows} USING hash (${key})`).execute(transaction);
  const index = { name: null, fields: keyFields, unique: true };
  const isThere = table.indexes.some(({ fields, unique }) => unique && JSON.stringify(fields) === JSON.stringify(keyFields));
  if (isThere) return { ...table, keyFields };
  const names = columnNames(columnsOf(table), keyFields).join(', ');
  await sql.raw(`CREATE UNIQUE INDEX ${indexName(table.id, table.indexes.length + 1)} ON ${rows} (${names})`).execute(transaction);
  return { ...table, indexes: [...table.indexes, index], keyFields };
}
