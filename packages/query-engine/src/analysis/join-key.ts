import type { Comparison, Plan, VariableId } from '@svc/query-language';

import { isFallible } from './fallibility.ts';
import { usesAny } from './variables.ts';

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

/** Returns whether a condition is an equality between a value of one side and one of the other, by which the engine can hash. */
export function isJoinKey(condition: Plan, sides: JoinSides): condition is Comparison {
  if (condition.kind !== 'Comparison' || condition.operator !== '=') return false;
  const used = [sideOf(condition.left, sides), sideOf(condition.right, sides)];
  return used.includes('left') && used.includes('right');
}

/**
 * Returns whether a condition is a key that can fail. As the first condition of an inner join it is evaluated in any case, so
 * the engine may compute it of all rows; by a filter that can fail it would compare all pairs of rows.
 */
export function isFallibleKey(condition: Plan, sides: JoinSides): condition is Comparison {
  return isFallible(condition) && isJoinKey(condition, sides);
}
