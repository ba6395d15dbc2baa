import type { Plan } from '@svc/query-language';

import { capturedVariables } from '../analysis/correlation.ts';
import { SQL, type Sql } from '../sql/sql.ts';
import type { Scope } from './scope.ts';

/**
 * `TRY(…)` of SQL as a whole, which `plan` means. The engine computes expressions repeated in a select list once and before, also outside of a
 * TRY, which does not catch their failure then; it does not move what is in a CASE that it cannot decide, or in a lambda.
 */
export function trySql(sql: Sql, plan: Plan, scope: Scope): Sql {
  if (scope.lambda !== null) return tried(sql);
  const column = columnUsedBy(plan, scope);
  return column === undefined ? tryOnce(sql) : tried(SQL`CASE WHEN hash(${column}) IS NOT NULL THEN ${sql} END`);
}

/** Returns a column of the rows around a plan that it uses. */
function columnUsedBy(plan: Plan, { variables }: Scope): Sql | undefined {
  for (const [id, fields] of capturedVariables({ plain: [], inLambdas: [plan] }, variables, () => true)) {
    const binding = variables.get(id);
    if (binding?.kind === 'column') return binding.sql;
    if (binding?.kind === 'row') return binding.columns[fields === 'all' ? 0 : Math.min(...fields)];
  }
  return undefined;
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
