import type { Aggregate, Plan, Select } from '@svc/query-language';
import { ownValue } from '@svc/query-language';

import { constantOf } from '../../analysis/constant-of.ts';
import { extractAggregates } from '../../rewrite/extract-aggregates.ts';
import { joinSql, memberOf, NULL, SQL, variableRef, type Sql } from '../../sql/sql.ts';
import { AGGREGATE_LOWERINGS } from '../functions/aggregate-functions.ts';
import { distinctElements } from '../functions/distinct-elements.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { callContext, freshColumn, newVariable } from '../lowering-context.ts';
import type { LoweredArgument } from '../lowering-types.ts';
import { letExpression } from '../scalars/let-expression.ts';
import { sortedBy } from '../scalars/sort-key.ts';
import type { Scope } from '../scope.ts';
import { bindLambda } from '../scope.ts';
import { sortedList } from './list-order.ts';
import { bindRows, insideRows, type ListRows } from './list-rows.ts';

/** Lowers the one value of an aggregate query over a list. */
export function singleOfList(context: LoweringContext, plan: Select, rows: ListRows): Sql {
  const { aggregates, replace } = extractAggregates(plan, () => newVariable(context));
  const having = plan.having === null ? null : replace(plan.having);
  const item = replace(plan.item);
  const isRowsRepeated = aggregates.length > 1;
  const body = (bound: ListRows): Sql =>
    bindAggregates(
      context,
      bound,
      aggregates,
      (scope) => {
        const value = context.lowerValue(item, scope);
        return having === null ? value : SQL`CASE WHEN ${context.lowerValue(having, scope)} THEN ${value} END`;
      },
      isRowsRepeated,
    );
  return isRowsRepeated ? bindRows(rows, body) : body(rows);
}

type Named = ReturnType<typeof extractAggregates>['aggregates'];

/** Binds the aggregates of a list's rows as one struct, around the body. */
function bindAggregates(
  context: LoweringContext,
  rows: ListRows,
  aggregates: Named,
  body: (scope: Scope) => Sql,
  isInLambda: boolean,
): Sql {
  const scope: Scope = isInLambda ? { ...rows.scope, lambda: rows.scope.lambda ?? new Set() } : rows.scope;
  const at = { ...rows, scope };
  const values = aggregates.map(({ aggregate }) => aggregateOfList(context, at, aggregate));
  const [only] = aggregates;
  if (only === undefined) return body(scope);
  const name = freshColumn(context, 'x');
  const packed = SQL`struct_pack(${joinSql(values.map((sql, i) => SQL`${variableRef(`a${i}`)} := ${sql}`))})`;
  const inside = bindLambda(
    scope,
    aggregates.map(({ id }, i) => [id, memberOf(name, `a${i}`)]),
  );
  return SQL`list_extract(list_transform([${packed}], lambda ${name}: ${body(inside)}), 1)`;
}

/** An aggregate of the rows of a list: FILTER, ORDER BY, the arguments, DISTINCT, and then the aggregate. */
function aggregateOfList(context: LoweringContext, rows: ListRows, aggregate: Aggregate): Sql {
  const lowering = ownValue(AGGREGATE_LOWERINGS, aggregate.function);
  if (lowering === undefined) throw new Error(`${aggregate.function} is no aggregate`);
  const inside = insideRows(rows);
  const list =
    aggregate.filter === null
      ? rows.list
      : SQL`list_filter(${rows.list}, lambda ${rows.element}: coalesce(${context.lowerValue(aggregate.filter, inside)}, FALSE))`;
  const values = argumentList(context, { ...rows, list }, aggregate);
  const distinct = aggregate.isDistinct ? distinctArguments(aggregate, values) : values;
  const args = aggregate.arguments.map((argument): LoweredArgument => ({
    sql: argument.kind === 'Constant' ? context.lowerValue(argument, inside) : NULL,
    type: argument.type,
    constant: constantOf(argument),
  }));
  const call = callContext(context, aggregate, aggregate.function, rows.scope);
  return letExpression([distinct], (bound) => lowering.overList(bound, args, call));
}

/** Returns the arguments' values, one element per row: the value of a single argument, or a struct. */
function argumentList(context: LoweringContext, rows: ListRows, aggregate: Aggregate): Sql {
  const [first, ...others] = aggregate.arguments;
  const inside = insideRows(rows);
  if (aggregate.orderBy.length > 0) {
    const item: Plan = others.length === 0 && first !== undefined ? first : recordOfArguments(aggregate);
    return sortedList(context, rows, aggregate.orderBy, item);
  }
  if (first === undefined) return rows.list;
  const value = context.lowerValue(others.length === 0 ? first : recordOfArguments(aggregate), inside);
  return value === rows.element ? rows.list : SQL`list_transform(${rows.list}, lambda ${rows.element}: ${value})`;
}

function recordOfArguments(aggregate: Aggregate): Plan {
  return {
    kind: 'RecordLiteral',
    span: aggregate.span,
    values: aggregate.arguments,
    type: { kind: 'RecordType', isNullable: false, fields: aggregate.arguments.map(({ type }, i) => ({ name: `a${i}`, type })) },
  };
}

function distinctArguments(aggregate: Aggregate, values: Sql): Sql {
  const [first] = aggregate.arguments;
  if (first === undefined) return values;
  const [order] = aggregate.orderBy;
  const type = aggregate.arguments.length > 1 ? recordOfArguments(aggregate).type : first.type;
  const distinct = distinctElements(values, type, 'values');
  return order === undefined ? distinct : sortedBy(distinct, type, order);
}
