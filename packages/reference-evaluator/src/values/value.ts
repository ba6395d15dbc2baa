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

/** Scalar values that are objects. */
export type ScalarObject = Decimal | Moment | Interval | Bytes;

/** Returns whether a value is a scalar that is an object. */
export function isScalar(value: Value): value is ScalarObject {
  return typeof value === 'object' && value !== null && value.kind !== 'record' && value.kind !== 'collection';
}
