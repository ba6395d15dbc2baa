import type { PrimitiveName, Type } from '@svc/query-language';
import { assertNever } from '@svc/query-language';

import { memberNames } from './member-names.ts';
import { quoteIdentifier } from './sql-text.ts';

/** Digits of a DECIMAL. */
export const DECIMAL_WIDTH = 38;
/** Scale of a decimal unless the lowering determines a smaller one. */
export const DECIMAL_SCALE = 18;

/** The engine's types of primitives. */
export const ENGINE_TYPES = {
  byte: 'TINYINT',
  short: 'SMALLINT',
  int: 'INTEGER',
  long: 'BIGINT',
  float: 'FLOAT',
  double: 'DOUBLE',
  decimal: `DECIMAL(${DECIMAL_WIDTH},${DECIMAL_SCALE})`,
  bool: 'BOOLEAN',
  string: 'VARCHAR',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  interval: 'INTERVAL',
  binary: 'BLOB',
  regex: 'VARCHAR',
} as const satisfies Record<PrimitiveName, string>;

/**
 * Returns the engine's type of a type: a record is a STRUCT with the names of `memberNames`, the empty record a BOOLEAN that
 * is TRUE, `any` JSON text, a decimal DECIMAL(38,18) unless the lowering determines a smaller scale. Throws for functions
 * and the error type, which have no values.
 */
export function duckType(type: Type): string {
  switch (type.kind) {
    case 'PrimitiveType':
      return ENGINE_TYPES[type.name];
    case 'AnyType':
      return 'JSON';
    case 'CollectionType':
      return `${duckType(type.element)}[]`;
    case 'RecordType': {
      if (type.fields.length === 0) return 'BOOLEAN';
      const names = memberNames(type.fields);
      const members = type.fields.map((field, i) => `${quoteIdentifier(names[i] ?? field.name)} ${duckType(field.type)}`);
      return `STRUCT(${members.join(', ')})`;
    }
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`The engine has no values of ${type.kind}.`);
    default:
      return assertNever(type);
  }
}
