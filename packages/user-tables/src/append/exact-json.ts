import type { Type } from '@svc/query-language';

import type { TableColumns } from '../types/table-columns.ts';

/** A JSON value. Numbers keep their original text if a double would lose digits. */
export type JsonValue = null | boolean | number | string | ExactNumber | readonly JsonValue[] | JsonObject;
/** An object of JSON. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A number as it was written. `JSON.stringify` writes it so. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** Matches more digits than a double reliably keeps, or an exponent that may be out of range. */
const MAY_LOSE = /[\d.]{16}|[eE][+-]?\d{3}/;

/** Parses JSON. Numbers that a double cannot represent keep their original text. Throws SyntaxError. */
function parseExactJson(text: string): JsonValue {
  // JSON.parse returns these values, and the reviver returns ExactNumbers.
  if (!MAY_LOSE.test(text)) return JSON.parse(text) as JsonValue;
  return JSON.parse(text, keepDigits) as JsonValue;
}

/** Returns the parser of rows: digits are kept only if a column stores more of them than a double. */
export function jsonParser({ kind, columns }: TableColumns): (text: string) => JsonValue {
  const digitsOf = columns.map(({ field }) => ({ name: field.name, digits: digitsKept(field.type) }));
  if (kind === 'value' || digitsOf.some(({ digits }) => digits === 'all')) return parseExactJson;
  const longs = digitsOf.filter(({ digits }) => digits === 'integers').map(({ name }) => name);
  return (text) => {
    // JSON.parse returns JSON values.
    const row = JSON.parse(text) as JsonValue;
    const isLossy = typeof row === 'object' && row !== null && longs.some((name) => isUnsafe((row as JsonObject)[name]));
    return isLossy ? parseExactJson(text) : row;
  };
}

/** Returns which digits of numbers a column needs: those of an integer are lost only if the number is visibly large. */
function digitsKept(type: Type): 'all' | 'integers' | 'of a double' {
  if (type.kind !== 'PrimitiveType' || type.name === 'decimal') return 'all';
  return type.name === 'long' || type.name === 'int' || type.name === 'short' || type.name === 'byte' ? 'integers' : 'of a double';
}

function isUnsafe(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

/** Returns whether a value is a number in its written form. */
export function isExactNumber(value: JsonValue): value is ExactNumber {
  return typeof value === 'object' && value !== null && json.isRawJSON(value);
}

/** Part of the JSON source text proposal that Node implements and TypeScript's library does not declare yet. */
interface JsonWithSource {
  readonly isRawJSON: (value: unknown) => boolean;
  readonly rawJSON: (text: string) => ExactNumber;
}
const json = JSON as unknown as JsonWithSource;

function keepDigits(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  const { source } = context;
  return source.length < 16 && Number.isFinite(value)
    ? value
    : Number.isSafeInteger(value) && !/[.eE]/.test(source)
      ? value
      : json.rawJSON(source);
}
