import { asDecimal, compareDecimals, decimalText } from './decimal.ts';
import type { Shape } from './shape.ts';
import { asTimestamp, momentText, sizeOf } from './temporal.ts';

/** Values of the naive evaluator: integers are bigint, doubles number. */
export type Value = ScalarValue | RecordValue | CollectionValue;

/** Values of literals. */
export type ScalarValue = null | bigint | number | boolean | string | Decimal | Moment | Interval | Bytes;

/** `digits` with the point before the last `places` of them. */
export interface Decimal {
  readonly kind: 'decimal';
  readonly digits: bigint;
  readonly places: number;
}

/** Days since 1970 of a date, microseconds since then of a timestamp, and since midnight of a time. */
export interface Moment {
  readonly kind: 'moment';
  readonly of: 'date' | 'time' | 'timestamp';
  readonly value: bigint;
}

/** An interval in its three parts, which are not normalized. */
export interface Interval {
  readonly kind: 'interval';
  readonly months: bigint;
  readonly days: bigint;
  readonly micros: bigint;
}

/** Two hexadecimal digits per byte. */
export interface Bytes {
  readonly kind: 'bytes';
  readonly hex: string;
}

/** A record: its values in the order of its fields. */
export interface RecordValue {
  readonly kind: 'record';
  readonly values: readonly Value[];
}

/** Blocks in order; the elements of a block are in no guaranteed order. */
export interface CollectionValue {
  readonly kind: 'collection';
  readonly blocks: readonly (readonly Value[])[];
}

/** A run-time error of the language. */
export class RunTimeError extends Error {}

/** The result depends on an order that is not guaranteed, or on something else that the language leaves open. */
export class Unpromised extends Error {}

/** A collection with a guaranteed order. */
export function ordered(elements: readonly Value[]): CollectionValue {
  return { kind: 'collection', blocks: elements.map((element) => [element]) };
}

/** The elements in any of the orders there may be. */
export function elementsOf(value: CollectionValue): readonly Value[] {
  return value.blocks.flat();
}

/** The elements in the one order there is. */
export function inOrder(value: CollectionValue): readonly Value[] {
  for (const block of value.blocks) {
    const [first, ...rest] = block;
    if (first !== undefined && rest.some((element) => compareInside(first, element) !== 0)) throw new Unpromised('order');
  }
  return elementsOf(value);
}

/** Text, with code points in order. */
function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

type ScalarObject = Decimal | Moment | Interval | Bytes;

function isScalar(value: Value): value is ScalarObject {
  return typeof value === 'object' && value !== null && value.kind !== 'record' && value.kind !== 'collection';
}

function compareScalars(left: ScalarObject, right: ScalarObject): number {
  if (left.kind === 'decimal' && right.kind === 'decimal') return compareDecimals(left, right);
  if (left.kind === 'moment' && right.kind === 'moment' && left.of === right.of) return compareWhole(left.value, right.value);
  if (left.kind === 'interval' && right.kind === 'interval') return compareWhole(sizeOf(left), sizeOf(right));
  if (left.kind === 'bytes' && right.kind === 'bytes') return compareText(left.hex, right.hex);
  throw new Error(`cannot compare ${left.kind} with ${right.kind}`);
}

function compareWhole(left: bigint, right: bigint): number {
  return left < right ? -1 : Number(left > right);
}

/** Total order of values of one type: NULL and then NaN are the greatest, as inside records and collections. */
export function compareInside(left: Value, right: Value): number {
  if (left === null || right === null) return (left === null ? 1 : 0) - (right === null ? 1 : 0);
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (typeof left === 'number' && typeof right === 'number') {
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (isScalar(left) && isScalar(right)) return compareScalars(left, right);
  if (typeof left === 'object' && typeof right === 'object' && !isScalar(left) && !isScalar(right)) {
    const [x, y] = [left.kind === 'record' ? left.values : inOrder(left), right.kind === 'record' ? right.values : inOrder(right)];
    for (let i = 0; i < Math.min(x.length, y.length); i += 1) {
      const order = compareInside(x[i] ?? null, y[i] ?? null);
      if (order !== 0) return order;
    }
    return x.length - y.length;
  }
  if (typeof left !== typeof right) throw new Error(`cannot compare ${typeof left} with ${typeof right}`);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Compares rows in ascending order: records by each field, as if they were keys. */
export function compareRows(left: Value, right: Value): number {
  if (typeof left !== 'object' || typeof right !== 'object' || left?.kind !== 'record' || right?.kind !== 'record')
    return compareKeys(left, right);
  for (const [i, value] of left.values.entries()) {
    const order = compareKeys(value, right.values[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Ascending order of keys: NULL first. */
export function compareKeys(left: Value, right: Value): number {
  if (left === null || right === null) return (right === null ? 1 : 0) - (left === null ? 1 : 0);
  return compareInside(left, right);
}

/** A value brought to a wider type. */
export function convert(value: Value, shape: Shape): Value {
  if (value === null) return value;
  if (shape === 'double' && isScalar(value) && value.kind === 'decimal') return Number(decimalText(value));
  if (shape === 'double' && typeof value === 'bigint') return Number(value);
  if (shape === 'float') return Math.fround(Number(convert(value, 'double')));
  if (shape === 'decimal' && typeof value === 'bigint') return asDecimal(value);
  if (shape === 'timestamp' && isScalar(value) && value.kind === 'moment') return asTimestamp(value);
  if (typeof shape !== 'object' || typeof value !== 'object') return value;
  if (shape.kind === 'collection' && value.kind === 'collection')
    return { kind: 'collection', blocks: value.blocks.map((block) => block.map((element) => convert(element, shape.element))) };
  if (shape.kind === 'record' && value.kind === 'record')
    return { kind: 'record', values: value.values.map((member, i) => convert(member, shape.fields[i]?.shape ?? 'unknown')) };
  return value;
}

/** Converts a value to text as `||` and STRING_AGG do, for the types that the generator uses there. */
export function textOf(value: Value): string {
  if (isScalar(value) && value.kind === 'decimal') return decimalText(value);
  if (isScalar(value) && value.kind === 'moment') return momentText(value);
  if (typeof value === 'number') return doubleText(value);
  if (typeof value === 'object') throw new Error('the generator makes no text of this');
  return String(value);
}

/** Prints a double as JSON does, except that integers keep `.0`. */
function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const size = Math.abs(value);
  if (!Number.isFinite(value) || (size !== 0 && (size < 1e-3 || size >= 1e15))) throw new Unpromised('the text of a double');
  if (Object.is(value, -0)) throw new Unpromised('the text of a double');
  // Computed values may differ in their last digits.
  if (!Number.isInteger(value) && String(value).length > 8) throw new Unpromised('the text of a double');
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
