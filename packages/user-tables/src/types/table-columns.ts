import type { CollectionType, FieldType, PrimitiveName, Type } from '@svc/query-language';
import { assertNever } from '@svc/query-language';

/** A field of a table with its column. */
export interface TableColumn {
  /** `c1`, `c2` …: names in PostgreSQL contain no text from a caller. */
  readonly name: string;
  readonly field: FieldType;
  /** The column's type in PostgreSQL. */
  readonly sqlType: string;
}

/** Columns of a table's rows: one per field of a record, or one for any other element type. */
export interface TableColumns {
  readonly kind: 'record' | 'value';
  readonly columns: readonly TableColumn[];
}

/** Field name of a column that contains the whole element. */
const VALUE_FIELD = 'value';

/**
 * PostgreSQL type of each primitive type, which can hold all its values. The writer checks a byte's range; decimals have the
 * engine's 38 digits, text compares by code points, times have microseconds as in the engine.
 */
const PRIMITIVES = {
  byte: 'smallint',
  short: 'smallint',
  int: 'integer',
  long: 'bigint',
  float: 'real',
  double: 'double precision',
  decimal: 'numeric(38,18)',
  bool: 'boolean',
  string: 'text COLLATE "C"',
  date: 'date',
  time: 'time(6)',
  timestamp: 'timestamp(6)',
  interval: 'interval',
  binary: 'bytea',
} as const satisfies Record<Exclude<PrimitiveName, 'regex'>, string>;

/** The columns of a table's rows. */
export function tableColumns({ element }: CollectionType): TableColumns {
  const isRecord = element.kind === 'RecordType' && !element.isNullable;
  const fields = isRecord ? element.fields : [{ name: VALUE_FIELD, type: element }];
  return {
    kind: isRecord ? 'record' : 'value',
    columns: fields.map((field, i) => ({ name: `c${i + 1}`, field, sqlType: sqlTypeOf(field.type) })),
  };
}

/** The names of the columns of some fields. */
export function columnNames({ columns }: TableColumns, fields: readonly string[]): readonly string[] {
  return fields.map((name) => {
    const column = columns.find(({ field }) => field.name === name);
    if (column === undefined) throw new Error(`The table has no field ${name}.`);
    return column.name;
  });
}

/** The name of a table's rows, for SQL text. */
export function rowsOf(tableId: number): string {
  if (!Number.isSafeInteger(tableId)) throw new Error('The id of a table is an integer.');
  return `user_rows.t${tableId}`;
}

/** The name of a table's index, by its number from 1. */
export function indexName(tableId: number, number: number): string {
  return `t${tableId}_i${number}`;
}

/** Returns the number in the name of an index. NaN without one. */
export function indexNumber(name: string): number {
  return Number(/^t\d+_i(\d+)/.exec(name)?.[1] ?? Number.NaN);
}

function sqlTypeOf(type: Type): string {
  if (type.kind === 'PrimitiveType' && type.name !== 'regex') return PRIMITIVES[type.name];
  return isExactInJsonb(type) ? 'jsonb' : 'json';
}

/**
 * jsonb sorts the members of an object and has no negative zero. The order of a record's members follows from its type; that
 * of `any` does not, and floating-point numbers have the zero, so such values are stored as text.
 */
function isExactInJsonb(type: Type): boolean {
  switch (type.kind) {
    case 'AnyType':
      return false;
    case 'CollectionType':
      return isExactInJsonb(type.element);
    case 'RecordType':
      return type.fields.every((field) => isExactInJsonb(field.type));
    case 'PrimitiveType':
      return type.name !== 'float' && type.name !== 'double';
    case 'FunctionType':
    case 'ErrorType':
      return true;
    default:
      return assertNever(type);
  }
}
