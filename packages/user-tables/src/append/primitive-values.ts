import type { PrimitiveName } from '@svc/query-language';
import { ownValue } from '@svc/query-language';

import type { CopyWriter } from './copy-writer.ts';
import { parseDecimal, printDecimal, writeDecimal, type DecimalDigits } from './decimal-text.ts';
import { isExactNumber, type JsonValue } from './exact-json.ts';
import { parseDate, parseInterval, parseTime, parseTimestamp, type IntervalParts } from './temporal-text.ts';

/** Parser and writers of a primitive type, for a column or for the JSON of a nested value. */
export interface PrimitiveValues<Value> {
  /** Expected value, in messages. */
  readonly expected: string;
  /** Converts a JSON value that is not null. Undefined if the type does not contain it. */
  readonly fromJson: (json: JsonValue) => Value | undefined;
  /** The value of a CSV cell that is not NULL. */
  readonly fromText: (text: string) => Value | undefined;
  readonly write: (writer: CopyWriter, value: Value) => void;
  /** Encodes a value inside a nested one for the reader of tables. Undefined if JSON cannot represent it. */
  readonly toJson: (value: Value) => string | undefined;
}

type Integer = number | bigint;
type Names = Exclude<PrimitiveName, 'regex'>;

const INTEGER = /^[+-]?\d+$/;
const LONG_MAX = 2n ** 63n;

function integers(bits: 8 | 16 | 32, write: (writer: CopyWriter, value: number) => void): PrimitiveValues<number> {
  const limit = 2 ** (bits - 1);
  const inRange = (value: number): number | undefined => (Number.isInteger(value) && value >= -limit && value < limit ? value : undefined);
  return {
    expected: `an integer from ${-limit} to ${limit - 1}`,
    fromJson: (json) => (typeof json === 'number' ? inRange(json) : undefined),
    fromText: (text) => (INTEGER.test(text) ? inRange(Number(text)) : undefined),
    write,
    toJson: String,
  };
}

function longOf(text: string): Integer | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  const exact = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return exact >= -LONG_MAX && exact < LONG_MAX ? exact : undefined;
}

const WORDS: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity: Infinity, '-Infinity': -Infinity };

/** Parses a finite number, or one of the three words. */
function numberOf(text: string): number | undefined {
  if (!isNumberLike(text)) return ownValue(WORDS, text);
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Returns whether all characters occur in decimal numbers; of such texts `Number` accepts exactly the numbers. */
function isNumberLike(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // 0 to 9, then + - . E e
    if (!((code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || code === 69 || code === 101)) return false;
  }
  return text !== '';
}

function numberOfJson(json: JsonValue): number | undefined {
  if (typeof json === 'number') return Number.isFinite(json) ? json : undefined;
  if (isExactNumber(json)) return numberOf(json.rawJSON);
  return typeof json === 'string' ? ownValue(WORDS, json) : undefined;
}

function floatOf(value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const rounded = Math.fround(value);
  return Number.isFinite(rounded) === Number.isFinite(value) ? rounded : undefined;
}

function textual<Value>(
  expected: string,
  parse: (text: string) => Value | undefined,
  rest: Pick<PrimitiveValues<Value>, 'write' | 'toJson'>,
): PrimitiveValues<Value> {
  return { expected, fromJson: (json) => (typeof json === 'string' ? parse(json) : undefined), fromText: parse, ...rest };
}

/** Temporal values keep their text within nested ones: the engine parses it, except for an offset, which `print` applies. */
interface Temporal<Value> {
  readonly value: Value;
  readonly text: string;
}

function temporal<Value>(parse: (text: string) => Value | undefined) {
  return (text: string): Temporal<Value> | undefined => {
    const value = parse(text);
    return value === undefined ? undefined : { value, text };
  };
}

const MICROS_2000 = 946_684_800_000_000n;

/** Prints a timestamp in UTC, whatever its offset was. */
function printTimestamp(micros: Integer): string {
  const since1970 = BigInt(micros) + MICROS_2000;
  const fraction = ((since1970 % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = Number((since1970 - fraction) / 1_000_000n);
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(fraction).padStart(6, '0')}`;
}

/** The length must be a multiple of four: a repeated group would exhaust the stack on a long text. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const values = {
  byte: integers(8, (writer, value) => writer.int16Field(value)),
  short: integers(16, (writer, value) => writer.int16Field(value)),
  int: integers(32, (writer, value) => writer.int32Field(value)),
  long: {
    expected: 'an integer of 64 bits',
    fromJson: (json) => {
      if (typeof json === 'number') return Number.isSafeInteger(json) ? json : undefined;
      return isExactNumber(json) ? longOf(json.rawJSON) : undefined;
    },
    fromText: longOf,
    write: (writer, value) => writer.int64Field(value),
    toJson: String,
  } satisfies PrimitiveValues<Integer>,
  float: {
    expected: 'a number in the range of float, or "NaN", "Infinity", "-Infinity"',
    fromJson: (json) => floatOf(numberOfJson(json)),
    fromText: (text) => floatOf(numberOf(text)),
    write: (writer, value) => writer.floatField(value),
    toJson: finiteJson,
  } satisfies PrimitiveValues<number>,
  double: {
    expected: 'a number in the range of double, or "NaN", "Infinity", "-Infinity"',
    fromJson: numberOfJson,
    fromText: numberOf,
    write: (writer, value) => writer.doubleField(value),
    toJson: finiteJson,
  } satisfies PrimitiveValues<number>,
  decimal: {
    expected: 'a decimal of at most 20 digits before and 18 after the point',
    fromJson: (json) => {
      if (typeof json === 'number' || typeof json === 'string') return parseDecimal(String(json));
      return isExactNumber(json) ? parseDecimal(json.rawJSON) : undefined;
    },
    fromText: parseDecimal,
    write: writeDecimal,
    // As text: a number would be read as a double.
    toJson: (value) => `"${printDecimal(value)}"`,
  } satisfies PrimitiveValues<DecimalDigits>,
  bool: {
    expected: 'true or false',
    fromJson: (json) => (typeof json === 'boolean' ? json : undefined),
    fromText: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    write: (writer, value) => writer.boolField(value),
    toJson: String,
  } satisfies PrimitiveValues<boolean>,
  string: textual('text without U+0000', textOf, {
    write: (writer, value) => writer.textField(value),
    toJson: (value) => JSON.stringify(value),
  }),
  date: textual('a date such as "2024-02-29"', temporal(parseDate), {
    write: (writer, { value }) => writer.int32Field(value),
    toJson: ({ text }) => `"${text}"`,
  }),
  time: textual('a time such as "23:59:59.999"', temporal(parseTime), {
    write: (writer, { value }) => writer.int64Field(value),
    toJson: ({ text }) => `"${text.length === 5 ? `${text}:00` : text}"`,
  }),
  timestamp: textual('a timestamp such as "2024-02-29T23:59:59.999"', parseTimestamp, {
    write: (writer, value) => writer.int64Field(value),
    toJson: (value) => `"${printTimestamp(value)}"`,
  }),
  interval: textual('an interval such as "P1Y2M3DT4H5M6.007S"', parseInterval, {
    write: (writer, { months, days, micros }: IntervalParts) => writer.intervalField(micros, days, months),
    toJson: ({ months, days, micros }: IntervalParts) => `"${months} months ${days} days ${micros} microseconds"`,
  }),
  binary: textual('bytes in base64', (text) => (text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined), {
    write: (writer, value) => writer.bytesField(value),
    toJson: (value) => `"${value.toString('base64')}"`,
  }),
} as const satisfies Record<Names, object>;

declare const primitiveValue: unique symbol;
/** A value of a primitive type, opaque outside of its table entry. */
export type PrimitiveValue = typeof primitiveValue;

/** Returns parser and writers of a primitive type. */
export function primitiveValues(name: PrimitiveName): PrimitiveValues<PrimitiveValue> {
  if (name === 'regex') throw new Error('A table holds no regexes.');
  // Values parsed by an entry are only passed to the same entry.
  return values[name] as unknown as PrimitiveValues<PrimitiveValue>;
}

/** Returns text that PostgreSQL can store: without U+0000 and without lone surrogates. */
function textOf(text: string): string | undefined {
  return text.includes('\0') || !text.isWellFormed() ? undefined : text;
}

function finiteJson(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  return Object.is(value, -0) ? '-0.0' : String(value);
}
