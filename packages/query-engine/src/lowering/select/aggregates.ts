import type { Aggregate, Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { canFail } from '../can-fail.ts';
import type { LoweringContext, Scope } from '../lowering-context.ts';
import { callContext } from '../lowering-context.ts';
import { AGGREGATE_LOWERINGS } from '../functions/aggregate-functions.ts';
import { constantOf, lowerValue } from '../lower-value.ts';
import type { AggregateRows, LoweredArgument } from '../lowering-types.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';

/** Whether the aggregate's value depends on the order of the rows. */
export function isOrdered(aggregate: Aggregate): boolean {
  return AGGREGATE_LOWERINGS[aggregate.function]?.isOrdered === true;
}

/** An aggregate over rows. `rowNumber` is there for those that depend on the order of the source. */
export function aggregateSql(context: LoweringContext, plan: Aggregate, scope: Scope, rowNumber: string | null): string {
  const lowering = AGGREGATE_LOWERINGS[plan.function];
  if (lowering === undefined) throw new LoweringUnsupported(plan.function, plan.span);
  const filter = plan.filter === null ? null : lowerValue(context, plan.filter, scope);
  const args = plan.arguments.map((argument): LoweredArgument => {
    const sql = lowerValue(context, argument, scope);
    return { sql: filter !== null && canFail(argument) ? `CASE WHEN ${filter} THEN ${sql} END` : sql, type: argument.type, constant: constantOf(argument) };
  });
  const rows: AggregateRows = {
    distinct: plan.isDistinct ? 'DISTINCT ' : '', suffix: filter === null ? '' : ` FILTER (WHERE ${filter})`, orderKey: orderKey(context, plan, scope, rowNumber),
  };
  return lowering.overRows(args, rows, callContext(context, plan, { functionName: plan.function, overload: '' }));
}

/** One value that grows in the order of the aggregate's ORDER BY, and where that says nothing in the order of the source. */
function orderKey(context: LoweringContext, plan: Aggregate, scope: Scope, rowNumber: string | null): string | null {
  if (plan.orderBy.length === 0) return rowNumber;
  const keys = plan.orderBy.map((key) => (
    `${lowerValue(context, key.value, scope)}, '${key.isDescending ? 'DESC' : 'ASC'} ${key.areNullsFirst ? 'NULLS FIRST' : 'NULLS LAST'}'`));
  return `create_sort_key(${[...keys, ...(rowNumber === null ? [] : [`${rowNumber}, 'ASC NULLS FIRST'`])].join(', ')})`;
}

/** A sum in the type of the result: of integers a long, and an overflow is an error. */
export function sumOf(type: Type, sum: string): string {
  return `CAST(${sum} AS ${duckType(type)})`;
}

/** Whether a type is decimal, nullable or not. */
export function isDecimal(type: Type): boolean {
  return type.kind === 'PrimitiveType' && type.name === 'decimal';
}
