import { convert } from '../values/convert.ts';
import { asDecimal, decimalOf, roundDecimal } from '../values/decimal.ts';
import { calculate, whole } from '../values/numbers.ts';
import { compareInside } from '../values/order.ts';
import type { Shape } from '../values/shape.ts';
import type { Decimal, Value } from '../values/value.ts';
import { RunTimeError, Unpromised } from '../values/value.ts';
import type { Rule } from './function-rule.ts';

/** Inputs within this distance of a discontinuity may fall on either side of it. */
const NEARNESS = 1e-9;

const abs = (n: bigint): bigint => (n < 0n ? -n : n);

const ofDouble =
  (rule: (x: number, y: number) => number): Rule =>
  ([x = null, y = null]) =>
    rule(numberOf(x), numberOf(y));

function numberOf(value: Value): number {
  return Number(convert(value, 'double'));
}

function isDecimal(value: Value): value is Decimal {
  return typeof value === 'object' && value?.kind === 'decimal';
}

/** Functions of numbers. */
export const NUMBER_FUNCTIONS: Readonly<Record<string, Rule>> = {
  ABS: ([x = null], { shape }) => {
    if (shape === 'decimal') return { ...asDecimal(x), digits: abs(asDecimal(x).digits) };
    return typeof x === 'bigint' ? whole(abs(x), shape) : Math.abs(Number(x));
  },
  GREATEST: (args, { shape }) =>
    args
      .map((value) => convert(value, shape))
      .toSorted(compareInside)
      .at(-1) ?? null,
  LEAST: (args, { shape }) => args.map((value) => convert(value, shape)).toSorted(compareInside)[0] ?? null,
  MOD: ([x = null, y = null], { shape }) => calculate('%', convert(x, shape), convert(y, shape), shape),
  ROUND: ([x = null, places], { shape }) => roundTo(x, Number(places ?? 0n), shape, 'half'),
  TRUNCATE: ([x = null, places], { shape }) => roundTo(x, Number(places ?? 0n), shape, 'cut'),
  FLOOR: ([x = null]) => stepOf(x, -1n),
  CEILING: ([x = null]) => stepOf(x, 1n),
  SIGN: ([x = null]) => {
    if (Number.isNaN(x)) throw new Unpromised('the sign of NaN');
    const zero: Value = isDecimal(x) ? decimalOf('0') : typeof x === 'bigint' ? 0n : 0;
    return BigInt(Math.sign(compareInside(x, zero)));
  },
  IS_NAN: ([x = null]) => Number.isNaN(numberOf(x)),
  SQRT: ofDouble(Math.sqrt),
  CBRT: ofDouble(Math.cbrt),
  SQUARE: ofDouble((x) => x * x),
  EXP: ofDouble(Math.exp),
  LN: ofDouble(Math.log),
  LOG10: ofDouble(Math.log10),
  LOG2: ofDouble(Math.log2),
  SIN: ofDouble(Math.sin),
  COS: ofDouble(Math.cos),
  ATAN: ofDouble(Math.atan),
  RADIANS: ofDouble((x) => (x * Math.PI) / 180),
  POWER: ofDouble(power),
};

/** Power as in IEEE 754: 1 to any power is 1, and so is -1 to an infinite one. */
function power(x: number, y: number): number {
  return x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY) ? 1 : x ** y;
}

/** FLOOR and CEILING: a long. */
function stepOf(x: Value, direction: bigint): bigint {
  if (typeof x === 'bigint') return x;
  if (isDecimal(x)) {
    const unit = 10n ** BigInt(x.places);
    const cut = x.digits / unit;
    const isPast = direction < 0n ? x.digits < 0n : x.digits > 0n;
    return whole(x.digits % unit !== 0n && isPast ? cut + direction : cut, 'long');
  }
  const number = Number(x);
  if (!Number.isFinite(number)) throw new RunTimeError('integer overflow');
  return whole(BigInt(direction < 0n ? Math.floor(number) : Math.ceil(number)), 'long');
}

/** Rounds half away from zero, or truncates, to a number of places, which may be negative. */
function roundTo(x: Value, places: number, shape: Shape, mode: 'half' | 'cut'): Value {
  if (typeof x === 'bigint') {
    if (places >= 0) return x;
    const unit = 10n ** BigInt(-places);
    return whole(((x + (mode === 'cut' ? 0n : (x < 0n ? -unit : unit) / 2n)) / unit) * unit, shape);
  }
  if (isDecimal(x)) return roundDecimal(x, places, mode);
  const rounded = roundDouble(Number(x), places, mode, shape === 'float' ? 1e-5 : NEARNESS);
  return shape === 'float' ? Math.fround(rounded) : rounded;
}

function roundDouble(x: number, places: number, mode: 'half' | 'cut', nearness: number): number {
  const factor = 10 ** Math.abs(places);
  const scaled = places < 0 ? Math.abs(x) / factor : Math.abs(x) * factor;
  if (!Number.isFinite(scaled) || scaled >= 2 ** 50) {
    if (Number.isFinite(x) && places < 0) throw new Unpromised('digits of a double');
    return x;
  }
  const jump = mode === 'cut' ? Math.round(scaled) : Math.floor(scaled) + 0.5;
  if (scaled !== jump && Math.abs(scaled - jump) <= nearness * Math.max(1, scaled)) throw new Unpromised('digits of a double');
  const rounded = mode === 'cut' ? Math.floor(scaled) : Math.floor(scaled + 0.5);
  return Math.sign(x) * (places < 0 ? rounded * factor : rounded / factor);
}
