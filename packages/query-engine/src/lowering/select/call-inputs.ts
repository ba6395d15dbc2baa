import type { Aggregate, Plan, WindowCall } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { constantOf } from '../../analysis/constant-of.ts';
import { SQL, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import type { LoweredArgument } from '../lowering-types.ts';
import { inBranch, type Scope } from '../scope.ts';
import { columnFor, onRows, withInput, type Rows } from './rows.ts';

/** The inputs of an aggregate or a window call, which become columns of the rows below it. */
export interface CallInputs {
  readonly filter: Sql | null;
  /** Evaluated only where the filter holds, if they can fail. */
  readonly args: readonly LoweredArgument[];
  /** Returns a column with SQL that is evaluated on each row. */
  readonly column: (lower: (scope: Scope) => Sql) => Sql;
  /** Returns a column with a value, or with SQL over it; a constant as it is. */
  readonly value: (plan: Plan, wrap?: (sql: Sql) => Sql) => Sql;
  /** The rows with all columns so far. */
  readonly rows: () => Rows;
}

/** Lowers filter and arguments of a call; further inputs can be added. */
export function lowerInputs(context: LoweringContext, rows: Rows, call: Pick<Aggregate | WindowCall, 'filter' | 'arguments'>): CallInputs {
  let all = rows;
  const column: CallInputs['column'] = (lower) => {
    const { rows: below, result } = onRows(context, all, lower);
    const name = columnFor(context, below, result, 'c');
    all = withInput(below, { name, sql: result });
    return name;
  };
  const value: CallInputs['value'] = (plan, wrap = (sql) => sql) =>
    plan.kind === 'Constant' ? context.lowerValue(plan, all.scope) : column((scope) => wrap(context.lowerValue(plan, scope)));
  const filter = call.filter === null ? null : value(call.filter);
  const args = call.arguments.map((argument): LoweredArgument => ({
    sql:
      filter !== null && isFallible(argument)
        ? column((scope) => SQL`CASE WHEN ${filter} THEN ${context.lowerValue(argument, inBranch(scope))} END`)
        : value(argument),
    type: argument.type,
    constant: constantOf(argument),
  }));
  return { filter, args, column, value, rows: () => all };
}
