import type { Plan } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import type { Sql } from '../sql/sql.ts';
import { withVisibleFailure } from '../sql/visible-failure.ts';
import type { Scope } from './scope.ts';

/** Lets the engine see that the value of a plan can fail: the outermost of those that lambdas make. */
export function visiblyFallible(plan: Plan, sql: Sql, scope: Pick<Scope, 'lambda' | 'isInTry'>): Sql {
  return scope.lambda !== null || scope.isInTry || !isFallible(plan) ? sql : withVisibleFailure(sql, duckType(plan.type));
}
