import { TableStore, type Database, type Schema, type StoredTable } from '@svc/database';
import { ServiceError } from '@svc/errors';
import { keepLatest, parseTableType, widenRows } from '@svc/user-tables';
import type { Transaction } from 'kysely';

import { widenedType } from './fit-type.ts';
import type { WantedTable } from './wanted-table.ts';

/** A change of a table, in a transaction that has locked it. */
export interface TableChange {
  readonly database: Database;
  readonly transaction: Transaction<Schema>;
  readonly namespace: string;
}

/** Adapts a locked table to a stream and returns its new definition. Throws stream_error if that is impossible. */
export async function fitTable(at: TableChange, table: StoredTable, wanted: WantedTable): Promise<StoredTable> {
  const { database, transaction, namespace } = at;
  const type = fittingType(table, wanted);
  if (type !== table.type) await widenRows(transaction, table, type);
  const fitted = await withKeys(transaction, { ...table, type }, wanted.keyFields);
  if (fitted.type !== table.type || fitted.keyFields !== table.keyFields)
    await new TableStore(database).reshape(transaction, namespace, fitted);
  return fitted;
}

/** The type that a table has when the stream starts. */
function fittingType({ name, type }: StoredTable, { rowType, type: wanted, evolve }: WantedTable): string {
  if (type === wanted) return type;
  const widened = widenedType(rowType, type);
  if ('problem' in widened) {
    if (evolve) throw refusal(name, `cannot be widened: ${widened.problem}.`);
    throw refusal(name, `exists with another type: it is ${type}, and the transform makes ${wanted}.`);
  }
  if (!evolve)
    throw refusal(
      name,
      `exists with another type: it is ${type}, and the transform makes ${wanted}. With "evolve": true it gets the fields.`,
    );
  const parsed = parseTableType(widened.type);
  if ('problem' in parsed) throw refusal(name, `cannot be widened: ${parsed.problem}.`);
  return parsed.text;
}

/** Sets the key fields of a table to those of the stream. */
async function withKeys(transaction: Transaction<Schema>, table: StoredTable, wanted: readonly string[] | null): Promise<StoredTable> {
  const { name, keyFields, indexes } = table;
  if (JSON.stringify(keyFields) === JSON.stringify(wanted)) return table;
  if (keyFields !== null) {
    const theirs = wanted === null ? 'appends every row' : `has keyFields ${JSON.stringify(wanted)}`;
    throw refusal(name, `keeps the latest row of each key, with keyFields ${JSON.stringify(keyFields)}, and the stream ${theirs}.`);
  }
  if (wanted === null) return table;
  if (indexes.some(({ unique, fields }) => unique && JSON.stringify(fields) !== JSON.stringify(wanted)))
    throw refusal(name, 'has a unique index on other fields than keyFields, which upserts cannot keep.');
  const kept = await keepLatest(transaction, table, wanted);
  if (kept === null)
    throw refusal(name, 'has rows that were appended, and upserts need an empty table: delete it, or give the stream another name.');
  return kept;
}

function refusal(table: string, problem: string): ServiceError {
  return new ServiceError('stream_error', `Table ${JSON.stringify(table)} ${problem}`);
}
