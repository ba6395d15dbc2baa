import type { ArithmeticOperator } from './operators.ts';
import type { Decimal, Value } from './value.ts';
import { RunTimeError, Unpromised } from './value.ts';

const MOST_PLACES = 18;

/** Number of decimal places to which factors are rounded if the sum of theirs exceeds the maximum. */
const FACTOR_PLACES = 9;

/** Parses a decimal with the number of places as written. */
export function decimalOf(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.');
  return { kind: 'decimal', digits: BigInt(whole + fraction), places: fraction.length };
}

/** Prints a decimal without trailing zeros. */
export function decimalText({ digits, places }: Decimal): string {
  const written = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  const [whole, fraction] = [written.slice(0, written.length - places), written.slice(written.length - places).replace(/0+$/, '')];
  return `${digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Compares two decimals: negative, zero or positive. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const places = Math.max(a.places, b.places);
  const difference = atPlaces(a, places).digits - atPlaces(b, places).digits;
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** Fractions cut off. */
export function wholePart({ digits, places }: Decimal): bigint {
  return digits / 10n ** BigInt(places);
}

/** Converts an integer to a decimal; decimals stay. */
export function asDecimal(value: Value): Decimal {
  if (typeof value === 'bigint') return { kind: 'decimal', digits: value, places: 0 };
  if (typeof value === 'object' && value !== null && value.kind === 'decimal') return value;
  throw new Error('no decimal');
}

/** Arithmetic as SQL has it, with 18 places at most, rounded half up. */
export function calculateDecimals(operator: ArithmeticOperator, a: Decimal, b: Decimal): Decimal {
  const places = Math.max(a.places, b.places);
  const [x, y] = [atPlaces(a, places).digits, atPlaces(b, places).digits];
  if ((operator === '/' || operator === '%') && y === 0n) throw new RunTimeError('/ by zero');
  switch (operator) {
    case '+':
      return small({ kind: 'decimal', digits: x + y, places });
    case '-':
      return small({ kind: 'decimal', digits: x - y, places });
    case '%':
      return { kind: 'decimal', digits: x % y, places };
    case '/':
      return small({ kind: 'decimal', digits: divide(x * 10n ** BigInt(MOST_PLACES), y), places: MOST_PLACES });
    case '*':
      return small(multiply(a, b));
  }
}

function multiply(a: Decimal, b: Decimal): Decimal {
  const exact: Decimal = { kind: 'decimal', digits: a.digits * b.digits, places: a.places + b.places };
  const [x, y] = [a, b].map((factor) => atPlaces(factor, FACTOR_PLACES));
  const rounded: Decimal = { kind: 'decimal', digits: (x?.digits ?? 0n) * (y?.digits ?? 0n), places: 2 * FACTOR_PLACES };
  if (exact.places > MOST_PLACES) return rounded;
  // The scale of a decimal in a collection is not guaranteed: it may differ from that of the literal.
  if (compareDecimals(exact, rounded) !== 0) throw new Unpromised('places of a decimal');
  return exact;
}

/** Rejects decimals with many digits before the point, whose operations may fail. */
function small(value: Decimal): Decimal {
  const whole = wholePart(value);
  if (whole >= 10n ** 20n || whole <= -(10n ** 20n)) throw new Unpromised('a decimal of many digits');
  return value;
}

function atPlaces({ digits, places }: Decimal, wanted: number): Decimal {
  const shifted = places <= wanted ? digits * 10n ** BigInt(wanted - places) : divide(digits, 10n ** BigInt(places - wanted));
  return { kind: 'decimal', digits: shifted, places: wanted };
}

/** Rounded half up, which is away from zero. */
function divide(dividend: bigint, divisor: bigint): bigint {
  const [a, b] = [dividend, divisor].map((value) => (value < 0n ? -value : value));
  const quotient = ((a ?? 0n) * 2n + (b ?? 1n)) / ((b ?? 1n) * 2n);
  return dividend < 0n === divisor < 0n ? quotient : -quotient;
}

/** Rounds half away from zero, or truncates, to a number of places, which may be negative. */
export function roundDecimal(value: Decimal, places: number, mode: 'half' | 'cut'): Decimal {
  if (places >= value.places) return value;
  const unit = 10n ** BigInt(value.places - places);
  const units = mode === 'cut' ? value.digits / unit : divide(value.digits, unit);
  return small({ kind: 'decimal', digits: units * unit, places: value.places });
}
