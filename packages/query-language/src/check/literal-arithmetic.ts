import { constant } from '../plan/build-plan.ts';
import type { ArithmeticOperator, Plan } from '../plan/plan.ts';
import { double, isPrimitive } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';

/** A decimal number: `digits` × 10^-`scale`. */
interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * Adds, subtracts or multiplies two numbers that are written with a point, or one and an integer, as decimals; null for other
 * operands. In SQL `0.06 + 0.01` is 0.07, and a price of 0.07 lies within it; the sum of these doubles is less.
 */
export function calculateLiterals(context: CheckContext, operator: ArithmeticOperator, left: Plan, right: Plan): Plan | null {
  const [a, b] = [left, right].map((side) => exactOf(context, side));
  if (a === undefined || b === undefined || a === null || b === null) return null;
  const found = calculate(operator, a, b);
  return found === null ? null : constant(double, textOf(found), left.span);
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
  const [x, y] = [a, b].map(({ digits, scale: own }) => digits * 10n ** BigInt(scale - own));
  if (x === undefined || y === undefined) throw new Error('there are two numbers');
  return { digits: operator === 'add' ? x + y : x - y, scale };
}

/** The shortest text of the nearest double. */
function textOf({ digits, scale }: Exact): string {
  return String(Number(`${digits}e-${scale}`));
}
