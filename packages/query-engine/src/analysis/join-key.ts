import type { Comparison, Plan, VariableId } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { usesAny } from './variables.ts';
import { isVolatile } from './volatility.ts';

/** The variables of the two sides of a join, or of a query and the rows around it. */
export interface JoinSides {
  readonly left: ReadonlySet<VariableId>;
  readonly right: ReadonlySet<VariableId>;
}

/** Returns which sides an expression uses. */
export function sideOf(plan: Plan, { left, right }: JoinSides): 'left' | 'right' | 'both' | 'none' {
  const [usesLeft, usesRight] = [usesAny(plan, left), usesAny(plan, right)];
  if (usesLeft && usesRight) return 'both';
  return usesLeft ? 'left' : usesRight ? 'right' : 'none';
}

const OPERATORS: ReadonlySet<Comparison['operator']> = new Set(['=', '<', '<=', '>', '>=']);

/** Returns whether a condition compares a value of one side with one of the other: the engine joins by it without comparing all pairs. */
export function isJoinKey(condition: Plan, sides: JoinSides): condition is Comparison {
  if (condition.kind !== 'Comparison' || !OPERATORS.has(condition.operator) || isVolatile(condition)) return false;
  const used = [sideOf(condition.left, sides), sideOf(condition.right, sides)];
  return used.includes('left') && used.includes('right');
}

/**
 * Returns the keys that can fail at the beginning of conditions. They are evaluated in any case, so the engine may
 * compute their sides of all rows; by a filter that can fail it would compare all pairs of rows.
 */
export function leadingKeys(conditions: readonly Plan[], sides: JoinSides): readonly Comparison[] {
  const keys: Comparison[] = [];
  for (const part of conditions) {
    if (!isFallible(part) || !isJoinKey(part, sides)) break;
    keys.push(part);
  }
  return keys;
}
