import type { FieldType, PrimitiveName, RecordType, Type } from '@svc/query-language';
import { printType } from '@svc/query-language';

import { Misuse } from '../../reading/misuse.ts';
import type { PgColumn } from './pg-column.ts';

/** A field of a row, how to read it, and its column number from 1. */
export interface ReadColumn extends PgColumn {
  readonly column: number;
  /** True if the declared type is not nullable, and the column may contain NULL. */
  readonly mayLackValue: boolean;
}

/** Matches the fields of a declared type to columns by name; returns all columns if no type was declared. Fails with a Misuse. */
export function toldColumns(columns: readonly PgColumn[], told: Type | null): readonly ReadColumn[] {
  if (told === null) return columns.map((column, i) => ({ ...column, column: i + 1, mayLackValue: false }));
  return rowOf(told).fields.map((field) => {
    const index = columns.findIndex((column) => column.field.name === field.name);
    const column = columns[index];
    if (column === undefined)
      throw new Misuse(`there is no column ${field.name}: the columns are ${columns.map(({ field: { name } }) => name).join(', ')}`);
    const mayLackValue = !field.type.isNullable && column.field.type.isNullable;
    return { ...readAs(column, field), column: index + 1, mayLackValue };
  });
}

function rowOf(told: Type): RecordType {
  if (told.kind === 'CollectionType' && told.element.kind === 'RecordType') return told.element;
  throw new Misuse(`expected ${printType(told)} but PostgreSQL has a collection of records`);
}

function readAs(column: PgColumn, field: FieldType): PgColumn {
  const found = column.field.type;
  const { type } = field;
  if (printType({ ...found, isNullable: type.isNullable } as Type) === printType(type)) return { ...column, field };
  // Converted values compare differently.
  const converted = { ...column, field, compared: null, isText: false };
  if (type.kind === 'AnyType') return { ...converted, cell: 'pg_catalog.to_json($x)' };
  if (column.json !== null && type.kind !== 'PrimitiveType') {
    const isFlat = type.kind === 'CollectionType' && type.element.kind === 'PrimitiveType';
    return { ...converted, cell: isFlat ? column.cell : column.json };
  }
  if (type.kind === 'PrimitiveType' && type.name === 'string') return { ...converted, cell: '$x::text' };
  const from = found.kind === 'PrimitiveType' ? found.name : null;
  if (type.kind === 'PrimitiveType' && from !== null && TAKEN_AS[from]?.includes(type.name) === true) {
    if (from === 'date') return { ...converted, cell: `CASE WHEN isfinite($x) THEN ($x::timestamp)::text ELSE $x::text END` };
    return { ...converted, cell: from === 'decimal' ? '$x' : column.cell };
  }
  throw new Misuse(`the column ${field.name} is ${printType(found)}, which cannot be read as ${printType(type)}`);
}

const INTEGERS: readonly PrimitiveName[] = ['byte', 'short', 'int', 'long'];

/** Types as which a cell can be read; an invalid value is an error when it is read. */
const TAKEN_AS: Partial<Record<PrimitiveName, readonly PrimitiveName[]>> = {
  short: [...INTEGERS, 'decimal', 'float', 'double'],
  int: [...INTEGERS, 'decimal', 'float', 'double'],
  long: [...INTEGERS, 'decimal', 'float', 'double'],
  decimal: ['float', 'double'],
  float: ['double'],
  double: ['float'],
  date: ['timestamp'],
};
