import { sql, type Transaction } from 'kysely';

import type { Schema, StoredTable } from '@svc/database';
import type { CollectionType } from '@svc/query-language';

import { parseTableType } from './types/table-type.ts';
import { columnNames, indexName, rowsOf, tableColumns, type TableColumns } from './types/table-columns.ts';

/** The type of a stored table. */
export function typeOf(table: Pick<StoredTable, 'type'>): CollectionType {
  const parsed = parseTableType(table.type);
  if ('problem' in parsed) throw new Error(`The type of a stored table cannot be read: ${parsed.problem}`);
  return parsed.type;
}

/** The columns of a stored table. */
export function columnsOf(table: Pick<StoredTable, 'type'>): TableColumns {
  return tableColumns(typeOf(table));
}

/** Maximum time a change waits for readers and writers of the rows. */
const LOCK_TIMEOUT = '5s';

/** Creates the storage of a table's rows, in the transaction that stores the table. */
export async function createRows(transaction: Transaction<Schema>, table: StoredTable): Promise<void> {
  const all = columnsOf(table);
  const rows = rowsOf(table.id);
  const definitions = all.columns.map(({ name, sqlType, field }) => `${name} ${sqlType}${field.type.isNullable ? '' : ' NOT NULL'}`);
  await sql.raw(`CREATE TABLE ${rows} (${definitions.join(', ')})`).execute(transaction);
  for (const [i, { fields, unique }] of table.indexes.entries()) {
    const names = columnNames(all, fields);
    await sql
      .raw(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${indexName(table.id, i + 1)} ON ${rows} (${names.join(', ')})`)
      .execute(transaction);
  }
}

/** Drops a table's rows, in the transaction that deletes the table. Fails with PostgreSQL's 55P03 if they are in use for long. */
export async function dropRows(transaction: Transaction<Schema>, table: StoredTable): Promise<void> {
  await sql.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`).execute(transaction);
  await sql.raw(`DROP TABLE ${rowsOf(table.id)}`).execute(transaction);
}
