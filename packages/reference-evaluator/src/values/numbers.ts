import { asDecimal, calculateDecimals } from './decimal.ts';
import type { ArithmeticOperator } from './operators.ts';
import type { Shape } from './shape.ts';
import { isInterval, meanOfIntervals, sumOfIntervals, times } from './temporal.ts';
import type { Decimal, Value } from './value.ts';
import { RunTimeError, Unpromised } from './value.ts';

const BITS: Readonly<Record<string, number>> = { byte: 8, short: 16, int: 32, long: 64 };

/** Returns an integer of a type; throws on overflow. */
export function whole(value: bigint, shape: Shape): bigint {
  const bits = typeof shape === 'string' ? (BITS[shape] ?? 64) : 64;
  if (BigInt.asIntN(bits, value) !== value) throw new RunTimeError('integer overflow');
  return value;
}

/** `-x` */
export function negate(value: Value, shape: Shape): Value {
  if (typeof value === 'object' && value?.kind === 'decimal') return { ...value, digits: -value.digits };
  if (typeof value === 'object' && value?.kind === 'interval') return times(value, -1n);
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
  '%': remainder,
};

/** Remainder of doubles; open if a rounding of the operands, which may be results of sums, would show in its first digits. */
function remainder(a: number, b: number): number {
  const rest = a % b;
  const areRounded = [a, b].some((operand) => Number.isFinite(operand) && !Number.isSafeInteger(operand * 1024));
  if (areRounded && Math.min(Math.abs(rest), Math.abs(b) - Math.abs(rest)) < Math.abs(a) * 1e-6)
    throw new Unpromised('digits of a remainder');
  return rest;
}

function nonZero(value: bigint): bigint {
  if (value === 0n) throw new RunTimeError('/ by zero');
  return value;
}

/** Arithmetic of two numbers that have been brought to the type of the result. */
export function calculate(operator: ArithmeticOperator, left: Value, right: Value, shape: Shape): Value {
  if (shape === 'decimal') return calculateDecimals(operator, asDecimal(left), asDecimal(right));
  if (typeof left === 'bigint' && typeof right === 'bigint') return whole(OF_WHOLE[operator](left, right), shape);
  const result = OF_DOUBLE[operator](Number(left), Number(right));
  return shape === 'float' ? Math.fround(result) : result;
}

function isDecimal(value: Value): boolean {
  return typeof value === 'object' && value?.kind === 'decimal';
}

/** Sums numbers, or the parts of intervals. */
export function sum(values: readonly Value[]): Value {
  if (values.every(isInterval)) return values.reduce(sumOfIntervals);
  if (values.every((value) => typeof value === 'bigint'))
    return whole(
      values.reduce((total, value) => total + value, 0n),
      'long',
    );
  if (values.some(isDecimal)) return sumOfDecimals(values);
  return values.reduce<number>((total, value) => total + Number(value), 0);
}

function sumOfDecimals(values: readonly Value[]): Decimal {
  return values.map(asDecimal).reduce((total, value) => calculateDecimals('+', total, value));
}

/** Returns the mean: a decimal for decimals, an interval for intervals, else a double. */
export function mean(values: readonly Value[]): Value {
  if (values.every(isInterval)) return meanOfIntervals(values);
  if (values.some(isDecimal)) return calculateDecimals('/', sumOfDecimals(values), asDecimal(BigInt(values.length)));
  if (values.every((value) => typeof value === 'bigint')) return Number(values.reduce((total, value) => total + value, 0n)) / values.length;
  return values.reduce<number>((total, value) => total + Number(value), 0) / values.length;
}
