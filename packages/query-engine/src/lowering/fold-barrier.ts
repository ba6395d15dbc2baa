import type { Plan } from '@svc/query-language';

import { isFallibleConstant } from '../analysis/correlation.ts';
import { SQL, type Sql } from '../sql/sql.ts';
import type { Scope } from './scope.ts';

/**
 * Wraps SQL in a CASE that the engine cannot decide before it has rows: a barrier against constant folding. The engine
 * evaluates expressions that do not depend on a row at planning, and fails there even if no row needs them; and it computes
 * repeated expressions once and before.
 */
export function behindFoldBarrier(sql: Sql, scope: Scope): Sql {
  return SQL`CASE WHEN hash(${scope.hoisted.add(SQL`0`)}) IS NOT NULL THEN ${sql} END`;
}

/** Puts SQL that may not be evaluated behind a barrier if the engine would fold it, and fail. */
export function unfolded(sql: Sql, plan: Plan, scope: Scope): Sql {
  return scope.isInBranch && scope.lambda === null && isFallibleConstant(plan, scope) ? behindFoldBarrier(sql, scope) : sql;
}
