import type { Plan } from '@svc/query-language';

import { hasWindows, holdsQueries } from './relational-analysis.ts';
import type { ScopeVariables } from './scope-bindings.ts';

/**
 * Returns whether the rows of a collection are produced one by one while its source is read: nothing is buffered before the
 * first of them, and another run returns the same rows in the same order.
 */
export function isPipelined(plan: Plan, variables: ScopeVariables): boolean {
  if (plan.kind === 'Read' || plan.kind === 'TableScan') return true;
  if (plan.kind === 'Convert') return isPipelined(plan.operand, variables);
  if (plan.kind === 'SetOperation') {
    return plan.operator === 'union-all' && plan.operands.every((operand) => isPipelined(operand, variables));
  }
  if (plan.kind !== 'Select') return false;
  const [source, ...others] = plan.sources;
  if (source === undefined || others.length > 0 || source.position !== null || !isPipelined(source.collection, variables)) return false;
  if (plan.grouping !== null || plan.isDistinct || plan.orderBy.length > 0 || plan.limit !== null || plan.offset !== null) return false;
  return !hasWindows(plan) && [plan.item, plan.where].every((value) => value === null || !holdsQueries(value, { variables }));
}
