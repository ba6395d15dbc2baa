import { parseType, type Type } from '@svc/query-language';
import {
  DATA_TABLES,
  decimalText,
  inOrder,
  intervalText,
  momentText,
  typeText,
  type RecordShape,
  type Shape,
  type Value,
} from '@svc/reference-evaluator';

import { duckType } from '../representation/duck-type.ts';
import type { TestTables } from './lower-over-tables.ts';

/** The tables of records, as the tests of the engine declare them; any other is a declaration of each program. */
export const ENGINE_TABLES: TestTables = Object.fromEntries(
  DATA_TABLES.filter(({ shape }) => typeof shape.element === 'object').map(({ name, shape, rows }) => {
    const type = typeText(shape.element);
    return [name, { type, sql: tableSql(shape.element as RecordShape, rows) }];
  }),
);

function sqlType(shape: Shape): string {
  const parsed = parseType(typeText(shape));
  if (!('type' in parsed)) throw new Error(`${typeText(shape)} is no type`);
  return duckType(parsed.type satisfies Type);
}

function tableSql({ fields }: RecordShape, rows: readonly Value[]): string {
  const cells = rows.map((row, i) => {
    const values = typeof row === 'object' && row?.kind === 'record' ? row.values : [];
    return `(${[String(i), ...values.map((value, k) => sqlValue(value, fields[k]?.shape ?? 'unknown'))].join(', ')})`;
  });
  const columns = fields.map(({ name, shape }) => `CAST(${name} AS ${sqlType(shape)}) AS ${name}`).join(', ');
  const names = ['i', ...fields.map(({ name }) => name)].join(', ');
  const nothing = `(${['0', ...fields.map(() => 'NULL')].join(', ')})`;
  const source = `(VALUES ${cells.length === 0 ? nothing : cells.join(', ')}) t(${names.replace(/^i/, 'row_id')})`;
  return `SELECT ${columns} FROM ${source}${cells.length === 0 ? ' WHERE row_id = 1' : ''}`;
}

function sqlValue(value: Value, shape: Shape): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'number') return `CAST('${Number.isFinite(value) ? value : Number.isNaN(value) ? 'nan' : 'inf'}' AS DOUBLE)`;
  if (typeof value !== 'object') return String(value);
  if (value.kind === 'decimal') return decimalText(value);
  if (value.kind === 'bytes') return `unhex('${value.hex}')`;
  if (value.kind === 'interval') return `INTERVAL '${intervalText(value)}'`;
  if (value.kind === 'moment') return `${value.of.toUpperCase()} '${momentText(value)}'`;
  if (typeof shape !== 'object') throw new Error('no value of a table');
  if (value.kind === 'collection')
    return `[${inOrder(value)
      .map((element) => sqlValue(element, shape.kind === 'collection' ? shape.element : 'unknown'))
      .join(', ')}]`;
  const fields = shape.kind === 'record' ? shape.fields : [];
  return `{${value.values.map((member, i) => `'${fields[i]?.name ?? ''}': ${sqlValue(member, fields[i]?.shape ?? 'unknown')}`).join(', ')}}`;
}
