import type { ArithmeticOperator, Plan } from '../plan/plan.ts';
import { isPrimitive } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';

/** A decimal number: `digits` × 10^-`scale`. */
interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * Adds, subtracts or multiplies two numbers that are written with a point, or one and an integer, as decimals: the text of the
 * nearest double; null for other operands. In SQL `0.06 + 0.01` is 0.07, and a price of 0.07 lies within it; the sum of these
 * doubles is less.
 */
export function calculateLiterals(context: CheckContext, operator: ArithmeticOperator, left: Plan, right: Plan): string | null {
  const [a, b] = [exactOf(context, left), exactOf(context, right)];
  const found = a === null || b === null ? null : calculate(operator, a, b);
  return found === null ? null : String(Number(`${found.digits}e-${found.scale}`));
}

/** Returns the value of a literal; null of other plans, and of literals with an exponent or very many digits. */
function exactOf(context: CheckContext, plan: Plan): Exact | null {
  if (plan.kind !== 'Constant' || typeof plan.value !== 'string' || context.values.argumentUses.has(plan)) return null;
  if (isPrimitive(plan.type, 'float')) return null; // its digits are not its value as a double
  const [, whole, fraction = ''] = /^(-?\d{1,18})(?:\.(\d{1,18}))?$/.exec(plan.value) ?? [];
  return whole === undefined ? null : { digits: BigInt(whole + fraction), scale: fraction.length };
}

function calculate(operator: ArithmeticOperator, a: Exact, b: Exact): Exact | null {
  if (operator === 'multiply') return { digits: a.digits * b.digits, scale: a.scale + b.scale };
  if (operator !== 'add' && operator !== 'subtract') return null;
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [digitsAt(a, scale), digitsAt(b, scale)];
  return { digits: operator === 'add' ? x + y : x - y, scale };
}

function digitsAt({ digits, scale }: Exact, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}
