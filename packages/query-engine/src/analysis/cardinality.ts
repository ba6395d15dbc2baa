import type { Plan, PlanSource } from '@svc/query-language';
import { isAsof } from '@svc/query-language';

/** Returns the maximum number of elements of a collection that its plan determines; Infinity if it determines none. */
export function maxCardinality(plan: Plan): number {
  if (plan.kind === 'Convert') return maxCardinality(plan.operand);
  if (plan.kind === 'CollectionLiteral') return plan.elements.length;
  if (plan.kind === 'Select') {
    const limit = plan.limit?.kind === 'Constant' && typeof plan.limit.value === 'string' ? Number(plan.limit.value) : Infinity;
    const rows = plan.grouping?.keys.length === 0 ? 1 : plan.sources.reduce(timesSource, 1);
    const groupings = plan.grouping?.sets?.length;
    return Math.min(limit, groupings === undefined ? rows : Math.max(rows, 1) * groupings);
  }
  if (plan.kind === 'SetOperation') {
    const each = plan.operands.map(maxCardinality);
    return plan.operator === 'union-all' || plan.operator === 'union' ? each.reduce((sum, rows) => sum + rows, 0) : Math.max(...each);
  }
  return Infinity;
}

function timesSource(rows: number, source: PlanSource): number {
  const { join, collection } = source;
  if (rows === 0) return 0;
  if (join === 'right' || join === 'full') return Infinity;
  if (isAsof(source)) return rows;
  return rows * (join === 'left' ? Math.max(1, maxCardinality(collection)) : maxCardinality(collection));
}
