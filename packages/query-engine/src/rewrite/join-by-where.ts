import type { Plan, Select } from '@svc/query-language';
import { boundBySource, mapChildren } from '@svc/query-language';

import { conjuncts } from '../analysis/conjuncts.ts';
import { isFallibleKey } from '../analysis/join-key.ts';
import { somePart, usesAny } from '../analysis/variables.ts';
import { allOf } from './fold-group-subqueries.ts';

/**
 * Moves the first condition of WHERE into the join of the last source, `FROM a, b WHERE a.n = b.n + 1`, if it is an equality that
 * can fail. The engine does so itself with those that cannot.
 */
export function joinByWhere(plan: Plan): Plan {
  return somePart(plan, isProduct) ? rewrite(plan) : plan;
}

function rewrite(plan: Plan): Plan {
  return mapChildren(isProduct(plan) ? withKey(plan) : plan, rewrite);
}

/** Returns whether a plan is a SELECT with WHERE whose last source is joined to the others without a condition. */
function isProduct(plan: Plan): plan is Select {
  if (plan.kind !== 'Select' || plan.where === null || plan.sources.length < 2) return false;
  return plan.sources.at(-1)?.join === 'cross' && plan.sources.every(({ join }) => join === 'cross' || join === 'inner');
}

function withKey(plan: Select): Select {
  const { where, sources } = plan;
  const last = sources.at(-1);
  if (where === null || last === undefined) return plan;
  const earlier = new Set(sources.slice(0, -1).flatMap(boundBySource));
  const [key, ...others] = conjuncts(where);
  if (key === undefined || usesAny(last.collection, earlier) || !isFallibleKey(key, last, earlier)) return plan;
  return { ...plan, where: allOf(others, where.span), sources: [...sources.slice(0, -1), { ...last, join: 'inner', on: key }] };
}
