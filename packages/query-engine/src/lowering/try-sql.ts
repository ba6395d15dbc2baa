import { SQL, type Sql } from '../sql/sql.ts';
import { behindFoldBarrier } from './fold-barrier.ts';
import type { Scope } from './scope.ts';

/**
 * `TRY(…)` of SQL as a whole. The engine computes expressions repeated in a select list once and before, also outside of a
 * TRY, which does not catch their failure then; it does not move what is behind a barrier, or in a lambda.
 */
export function trySql(sql: Sql, scope: Scope): Sql {
  return tried(scope.lambda === null ? behindFoldBarrier(sql, scope) : sql);
}

/**
 * As a list of one element: if the value itself comes from a join, the engine otherwise gives a row that does not fail the
 * value of another (1.5.6).
 */
function tried(sql: Sql): Sql {
  return SQL`list_extract(TRY([${sql}]), 1)`;
}

/** The same for few rows: prevents evaluation at planning, where no TRY catches a failure either. */
export function tryOnce(sql: Sql): Sql {
  return SQL`list_extract(TRY(list_transform([0], lambda tried_row: ${sql})), 1)`;
}
