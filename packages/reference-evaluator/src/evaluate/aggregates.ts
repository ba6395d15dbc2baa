import { convert } from '../values/convert.ts';
import { mean, sum } from '../values/numbers.ts';
import { compareInside, distinct } from '../values/order.ts';
import type { Value } from '../values/value.ts';
import { Unpromised } from '../values/value.ts';

type Rule = (values: readonly Value[], fraction: number) => Value;

const best =
  (sign: number): Rule =>
  (values) =>
    oneOf(
      values,
      values.reduce<Value>((found, value) => (found === null || sign * compareInside(value, found) > 0 ? value : found), null),
    );

const orNull =
  (rule: Rule): Rule =>
  (values, fraction) =>
    values.length === 0 ? null : rule(values, fraction);

const doubles = (values: readonly Value[]): readonly number[] => values.map((value) => Number(convert(value, 'double')));

/** Aggregates of values that are not NULL, and for which order does not matter. */
export const AGGREGATES: Readonly<Record<string, Rule>> = {
  COUNT: (values) => BigInt(values.length),
  COUNT_DISTINCT: (values) => BigInt(distinct(values).length),
  SUM: orNull(sum),
  AVG: orNull(mean),
  MIN: best(-1),
  MAX: best(1),
  BOOL_AND: orNull((values) => !values.includes(false)),
  BOOL_OR: orNull((values) => values.includes(true)),
  MODE: mode,
  VARIANCE: (values) => varianceOf(doubles(values)),
  STDDEV: (values) => {
    const variance = varianceOf(doubles(values));
    return variance === null ? null : Math.sqrt(variance);
  },
  MEDIAN: (values) => quantileOf(doubles(values), 0.5),
  QUANTILE: (values, fraction) => quantileOf(doubles(values), fraction),
};

/** The most frequent value, of several the least. */
function mode(values: readonly Value[]): Value {
  let found: { readonly value: Value; readonly count: number } = { value: null, count: 0 };
  for (const value of distinct(values)) {
    const count = values.filter((other) => compareInside(other, value) === 0).length;
    if (count > found.count) found = { value, count };
  }
  return oneOf(values, found.value);
}

/** Returns the value that is chosen among equal ones; open for intervals that are equal but not identical. */
export function oneOf(values: readonly Value[], chosen: Value): Value {
  const isOther = (value: Value): boolean => compareInside(value, chosen) === 0 && !isIdentical(value, chosen);
  if (chosen !== null && values.some(isOther)) throw new Unpromised('which of equal intervals');
  return chosen;
}

function isIdentical(a: Value, b: Value): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a?.kind !== 'interval' || b?.kind !== 'interval') return true;
  return a.months === b.months && a.days === b.days && a.micros === b.micros;
}

/**
 * Computes the sample variance by Welford's algorithm, by which that of equal values is exactly 0; null for fewer than two
 * values.
 */
function varianceOf(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  let [middle, squares] = [0, 0];
  for (const [i, value] of values.entries()) {
    const distance = value - middle;
    middle += distance / (i + 1);
    squares += distance * (value - middle);
  }
  if (values.every(Number.isFinite) && !Number.isFinite(squares)) throw new Unpromised('large squares');
  return squares / (values.length - 1);
}

/** Returns the value at a fraction, interpolated between two values. */
function quantileOf(values: readonly number[], fraction: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted(compareInside);
  const place = fraction * (sorted.length - 1);
  const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (low === high || Number.isInteger(place)) return low;
  if (!Number.isFinite(low) && Number.isFinite(high)) throw new Unpromised('between an infinite value and another');
  return low + (high - low) * (place - Math.floor(place));
}
