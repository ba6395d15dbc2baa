import type { Plan } from '@svc/query-language';

import { hasWindows, holdsQueries } from './relational-analysis.ts';
import type { ScopeVariables } from './scope-bindings.ts';

/**
 * Returns whether each row of a source becomes a row of the collection, and nothing is computed before the first of them: a
 * large source gives many rows, soon.
 */
export function isRowByRow(plan: Plan, variables: ScopeVariables): boolean {
  if (plan.kind === 'Read' || plan.kind === 'TableScan') return true;
  if (plan.kind === 'Convert') return isRowByRow(plan.operand, variables);
  if (plan.kind === 'SetOperation') {
    return plan.operator === 'union-all' && plan.operands.every((operand) => isRowByRow(operand, variables));
  }
  if (plan.kind !== 'Select') return false;
  const [source, ...others] = plan.sources;
  if (source === undefined || others.length > 0 || source.position !== null || !isRowByRow(source.collection, variables)) return false;
  if (
    plan.where !== null ||
    plan.grouping !== null ||
    plan.isDistinct ||
    plan.orderBy.length > 0 ||
    plan.limit !== null ||
    plan.offset !== null
  )
    return false;
  return !hasWindows(plan) && !holdsQueries(plan.item, { variables });
}
