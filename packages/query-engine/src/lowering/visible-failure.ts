import type { Plan } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import { castTo, SQL, type Sql } from '../sql/sql.ts';
import type { Scope } from './scope.ts';

/**
 * Lets the engine see that SQL of a plan can fail where its failures are those of a lambda, into which it does not look. Of
 * conditions it evaluates those first that cannot fail, and moves them through projections: before the conditions that guard
 * them. TRY allows no `error`, and needs none.
 */
export function visiblyFallible(plan: Plan, sql: Sql, scope: Pick<Scope, 'lambda' | 'isInTry'>): Sql {
  if (scope.lambda !== null || scope.isInTry || !isFallible(plan)) return sql;
  return SQL`CASE WHEN random() >= 0 THEN ${sql} ELSE ${castTo(SQL`error('')`, duckType(plan.type))} END`;
}
