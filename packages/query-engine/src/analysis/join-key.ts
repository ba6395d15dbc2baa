import type { Comparison, Plan, PlanSource, VariableId } from '@svc/query-language';
import { boundBySource } from '@svc/query-language';

import { isFallible } from './fallibility.ts';
import { usesAny } from './variables.ts';

/**
 * Returns whether a condition is an equality that can fail between a value of the source and one of the earlier sources. As the first
 * condition of an inner join it is evaluated in any case, so the engine may compute it as a key, of all rows; by a filter that can
 * fail it would compare all pairs of rows.
 */
export function isFallibleKey(condition: Plan, source: PlanSource, earlier: ReadonlySet<VariableId>): condition is Comparison {
  if (condition.kind !== 'Comparison' || condition.operator !== '=' || !isFallible(condition)) return false;
  const own = new Set(boundBySource(source));
  const [left, right] = [condition.left, condition.right].map((side) => ({ own: usesAny(side, own), earlier: usesAny(side, earlier) }));
  const isOneSided = left?.own !== left?.earlier && right?.own !== right?.earlier;
  return isOneSided && left?.own !== right?.own;
}
