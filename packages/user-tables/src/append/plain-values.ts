import type { PrimitiveName } from '@svc/query-language';

import type { CopyWriter } from './copy-writer.ts';
import { primitiveValues } from './primitive-values.ts';
import { daysOf } from './temporal-text.ts';

/**
 * Writes a value given as the bytes from `start` to `end` in the common case; otherwise returns false, with output to be
 * discarded. Accepts a subset of the general parser's values, with the same result.
 */
export type PlainValue = (writer: CopyWriter, bytes: Buffer, start: number, end: number) => boolean;

/** Writer of a type's values from bytes; `isQuoted` in JSON. */
export interface PlainType {
  readonly isQuoted: boolean;
  readonly write: PlainValue;
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const BACKSLASH = 92;
/** Integers of at most this many digits are exact as numbers. */
const SAFE_DIGITS = 15;

function integer(bits: 8 | 16 | 32 | 64, write: (writer: CopyWriter, value: number) => void): PlainType {
  const limit = 2 ** (bits - 1);
  return {
    isQuoted: false,
    write: (writer, bytes, start, end) => {
      const isNegative = bytes[start] === MINUS;
      const digits = wholeNumber(bytes, isNegative ? start + 1 : start, end);
      const value = isNegative ? -digits : digits;
      if (!(value >= -limit && value < limit) || hasOddDigits(bytes, start, end)) return false;
      write(writer, value);
      return true;
    },
  };
}

function floating(write: (writer: CopyWriter, value: number) => void): PlainType {
  return {
    isQuoted: false,
    write: (writer, bytes, start, end) => {
      const value = numberOf(bytes, start, end);
      if (Number.isNaN(value)) return false;
      write(writer, value);
      return true;
    },
  };
}

/**
 * Parses an integer or decimal in JSON notation with at most 15 digits. Otherwise returns NaN. The digits and the power of
 * ten are exact as doubles, so that the quotient is rounded once, as in parsing a number.
 */
function numberOf(bytes: Buffer, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  let [digits, point] = [0, -1];
  if (hasOddDigits(bytes, start, end)) return Number.NaN;
  for (let at = first; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (bytes[at] === POINT && point === -1 && at > first && at < end - 1) point = at;
    else return Number.NaN;
  }
  const value = point === -1 ? digits : digits / 10 ** (end - point - 1);
  return isNegative ? -value : value;
}

/** Returns whether there are no digits, too many, or leading zeros, which JSON does not allow. */
function hasOddDigits(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const length = end - first;
  return length === 0 || length > SAFE_DIGITS || (length > 1 && bytes[first] === ZERO && bytes[first + 1] !== POINT);
}

/** Writer of a type with a text form: the general parser of its text, without the general scanner. */
function textual(name: 'time' | 'timestamp' | 'interval' | 'binary' | 'decimal', isQuoted: boolean): PlainType {
  const { fromText, write } = primitiveValues(name);
  return {
    isQuoted,
    write: (writer, bytes, start, end) => {
      const value = isQuoted || !Number.isNaN(numberOf(bytes, start, end)) ? fromText(bytes.toString('latin1', start, end)) : undefined;
      if (value === undefined) return false;
      write(writer, value);
      return true;
    },
  };
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

const PLAIN_TYPES = {
  byte: integer(8, (writer, value) => writer.int16Field(value)),
  short: integer(16, (writer, value) => writer.int16Field(value)),
  int: integer(32, (writer, value) => writer.int32Field(value)),
  long: integer(64, (writer, value) => writer.int64Field(value)),
  float: floating((writer, value) => writer.floatField(Math.fround(value))),
  double: floating((writer, value) => writer.doubleField(value)),
  decimal: textual('decimal', false),
  bool: {
    isQuoted: false,
    write: (writer, bytes, start, end) => {
      const isTrue = isWord(bytes, start, end, TRUE);
      if (!isTrue && !isWord(bytes, start, end, FALSE)) return false;
      writer.boolField(isTrue);
      return true;
    },
  },
  string: {
    isQuoted: true,
    write: (writer, bytes, start, end) => {
      for (let at = start; at < end; at += 1) {
        const byte = bytes[at] ?? 0;
        if (byte < 32 || byte === BACKSLASH) return false;
      }
      writer.rangeField(bytes, start, end);
      return true;
    },
  },
  date: {
    isQuoted: true,
    write: (writer, bytes, start, end) => {
      if (end - start !== 10 || bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return false;
      const days = daysOf(
        wholeNumber(bytes, start, start + 4),
        wholeNumber(bytes, start + 5, start + 7),
        wholeNumber(bytes, start + 8, end),
      );
      if (days === undefined) return false;
      writer.int32Field(days);
      return true;
    },
  },
  time: textual('time', true),
  timestamp: textual('timestamp', true),
  interval: textual('interval', true),
  binary: textual('binary', true),
} as const satisfies Record<Exclude<PrimitiveName, 'regex'>, PlainType>;

/** Returns the writer of a type's values from bytes. */
export function plainType(name: Exclude<PrimitiveName, 'regex'>): PlainType {
  return PLAIN_TYPES[name];
}

/** Returns whether some bytes equal a word. */
export function isWord(bytes: Buffer, start: number, end: number, word: Buffer): boolean {
  if (end - start !== word.byteLength) return false;
  for (let i = 0; i < word.byteLength; i += 1) if (bytes[start + i] !== word[i]) return false;
  return true;
}

/** Parses digits. Returns NaN if one is not a digit. */
function wholeNumber(bytes: Buffer, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}
