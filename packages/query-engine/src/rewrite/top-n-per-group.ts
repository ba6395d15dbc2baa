import type { Plan, Select } from '@svc/query-language';
import { COLLECT, int, mapChildren } from '@svc/query-language';

import { constantOf } from '../analysis/constant-of.ts';
import { hasWindows } from '../analysis/relational-analysis.ts';
import { somePart } from '../analysis/variables.ts';

/** Name of the internal aggregate that keeps as many first values as its second argument. */
export const COLLECT_FIRST = 'COLLECT_FIRST';

/** With more rows, keeping the first ones of each group costs more than sorting all. */
const MOST_FIRST = 1000;

/**
 * Rewrites the first rows of a group, `(SELECT … FROM * ORDER BY k LIMIT 3)`, to a top-n aggregate, which drops the others
 * as they arrive. Queries over the group must be folded already (`fold-group-subqueries`).
 */
export function topNPerGroup(plan: Plan): Plan {
  return somePart(plan, (part) => part.kind === 'Aggregate' && part.function === COLLECT) ? rewrite(plan) : plan;
}

function rewrite(plan: Plan): Plan {
  return mapChildren(plan.kind === 'Select' ? keepFirst(plan) : plan, rewrite);
}

/** Keeps the first rows in the aggregate of a SELECT that does nothing but choose them by LIMIT and OFFSET. */
function keepFirst(plan: Select): Select {
  const count = countOf(plan);
  const { sources: given, where, grouping, orderBy, isDistinct } = plan;
  const isBare = given.length === 1 && where === null && grouping === null && orderBy.length === 0 && !isDistinct && !hasWindows(plan);
  if (!isBare || count === null) return plan;
  const limit: Plan = { kind: 'Constant', type: int, span: plan.span, value: String(count) };
  const sources = given.map((source) => {
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
