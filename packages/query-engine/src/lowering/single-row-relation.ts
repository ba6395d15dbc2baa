import type { Plan } from '@svc/query-language';

import { aliased, joinSql, SQL, type Sql } from '../sql/sql.ts';
import { correlatedColumns } from './correlated-columns.ts';
import { createHoistedColumns, withHoistedColumns } from './hoisted-columns.ts';
import type { LoweringContext } from './lowering-context.ts';
import { onRow, type Scope } from './scope.ts';

/** A FROM text of one row. */
export const UNIT = SQL`(SELECT 0 AS unit)`;

/** A value as the only row of a relation: `from` has one row, on which `value` is evaluated. */
export function singleRowRelation(context: LoweringContext, plan: Plan, scope: Scope): { readonly from: Sql; readonly value: Sql } {
  const hoisted = createHoistedColumns(context);
  const { columns, variables } = correlatedColumns(context, { plain: [plan], inLambdas: [] }, scope.variables);
  const value = context.lowerValue(plan, onRow({ ...scope, variables }, hoisted));
  const unit = columns.length === 0 ? UNIT : SQL`(SELECT 0 AS unit, ${joinSql(columns.map(aliased))})`;
  return { from: withHoistedColumns(unit, hoisted), value };
}
