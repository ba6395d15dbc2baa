import type { Shape } from './shape.ts';
import type { ArithmeticOperator } from './term.ts';
import type { Value } from './value.ts';
import { RunTimeError } from './value.ts';

const BITS: Readonly<Record<string, number>> = { short: 16, int: 32, long: 64 };

/** A whole number of a type; past its ends there is none. */
export function whole(value: bigint, shape: Shape): bigint {
  const bits = typeof shape === 'string' ? (BITS[shape] ?? 64) : 64;
  if (BigInt.asIntN(bits, value) !== value) throw new RunTimeError('integer overflow');
  return value;
}

/** `-x` */
export function negate(value: Value, shape: Shape): Value {
  return typeof value === 'bigint' ? whole(-value, shape) : -Number(value);
}

const OF_WHOLE: Readonly<Record<ArithmeticOperator, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / nonZero(b),
  '%': (a, b) => a % nonZero(b),
};

const OF_DOUBLE: Readonly<Record<ArithmeticOperator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

function nonZero(value: bigint): bigint {
  if (value === 0n) throw new RunTimeError('/ by zero');
  return value;
}

/** Arithmetic of two numbers that have been brought to the type of the result. */
export function calculate(operator: ArithmeticOperator, left: Value, right: Value, shape: Shape): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') return whole(OF_WHOLE[operator](left, right), shape);
  return OF_DOUBLE[operator](Number(left), Number(right));
}

/** The sum of whole numbers or of doubles. */
export function sum(values: readonly Value[]): Value {
  if (values.every((value) => typeof value === 'bigint'))
    return whole(
      values.reduce((total, value) => total + value, 0n),
      'long',
    );
  return values.reduce<number>((total, value) => total + Number(value), 0);
}

/** The mean, a double. */
export function mean(values: readonly Value[]): Value {
  if (values.every((value) => typeof value === 'bigint')) return Number(values.reduce((total, value) => total + value, 0n)) / values.length;
  return values.reduce<number>((total, value) => total + Number(value), 0) / values.length;
}
