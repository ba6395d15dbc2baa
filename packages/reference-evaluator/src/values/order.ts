import { compareDecimals } from './decimal.ts';
import { sizeOf } from './temporal.ts';
import type { CollectionValue, ScalarObject, Value } from './value.ts';
import { Unpromised, elementsOf, isScalar } from './value.ts';

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

/** The element from 0, NULL outside. */
export function elementAt(collection: Value, index: Value): Value {
  const [target, place] = [collection, index];
  if (target === null || place === null || typeof target !== 'object' || target.kind !== 'collection') return null;
  if (typeof place !== 'bigint' || place < 0n || place >= BigInt(elementsOf(target).length)) return null;
  return inOrder(target)[Number(place)] ?? null;
}

/** Returns the distinct values in ascending order. */
export function distinct(values: readonly Value[]): readonly Value[] {
  const sorted = values.toSorted(compareRows);
  return sorted.filter((value, i) => i === 0 || compareRows(sorted[i - 1] ?? null, value) !== 0);
}
