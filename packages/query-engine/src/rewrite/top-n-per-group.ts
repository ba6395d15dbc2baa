import type { Plan, Select } from '@svc/query-language';
import { COLLECT, int, mapChildren } from '@svc/query-language';

import { constantOf } from '../analysis/constant-of.ts';

/** Name of the internal aggregate that keeps as many first values as its second argument. */
export const COLLECT_FIRST = 'COLLECT_FIRST';

/** With more rows, keeping the first ones of each group costs more than sorting all. */
const MOST_FIRST = 1000;

/**
 * Rewrites the first rows of a group, `(SELECT … FROM * ORDER BY k LIMIT 3)`, to a top-n aggregate, which drops the others
 * as they arrive. Queries over the group must be folded already (`fold-group-subqueries`).
 */
export function topNPerGroup(plan: Select): Select {
  return { ...plan, item: first(plan.item), having: plan.having && first(plan.having) };
}

function first(plan: Plan): Plan {
  if (plan.kind !== 'Select') return mapChildren(plan, first);
  const count = countOf(plan);
  const isBare =
    plan.sources.length === 1 && plan.where === null && plan.grouping === null && plan.orderBy.length === 0 && !plan.isDistinct;
  if (!isBare || count === null) return plan;
  const limit: Plan = { kind: 'Constant', type: int, span: plan.span, value: String(count) };
  const sources = plan.sources.map((source) => {
    const { collection } = source;
    if (collection.kind !== 'Aggregate' || collection.function !== COLLECT || collection.isDistinct) return source;
    return { ...source, collection: { ...collection, function: COLLECT_FIRST, arguments: [...collection.arguments, limit] } };
  });
  return { ...plan, sources };
}

/** Returns the number of rows that LIMIT and OFFSET select, if it is small and known. */
function countOf({ limit, offset }: Select): number | null {
  const count = boundOf(limit, Infinity) + boundOf(offset, 0);
  return count >= 1 && count <= MOST_FIRST ? count : null;
}

/** Returns a bound's number, and `none` for NULL; NaN if it is not constant. */
function boundOf(bound: Plan | null, none: number): number {
  const value = bound && constantOf(bound);
  return value === null ? none : Number(value);
}
