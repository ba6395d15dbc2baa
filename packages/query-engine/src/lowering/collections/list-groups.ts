import type { Aggregate, Plan, Select, SortKey, Type } from '@svc/query-language';
import { bool, ownValue, recordOf } from '@svc/query-language';

import { AGGREGATE_LOWERINGS } from '../functions/aggregate-functions.ts';
import { distinctElements } from '../functions/distinct-elements.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { callContext, freshName } from '../lowering-context.ts';
import type { LoweredArgument } from '../lowering-types.ts';
import { constantOf, lowerValue } from '../lower-value.ts';
import { bindOnce } from '../scalars/bind-once.ts';
import { holdsInterval } from '../scalars/comparable.ts';
import { sortedBy } from '../scalars/sort-key.ts';
import type { Scope } from '../scope.ts';
import { bindLambda } from '../scope.ts';
import { withVariables } from '../select/own-aggregates.ts';
import { severalGroupings } from '../select/several-groupings.ts';
import { sortedList } from './list-order.ts';
import { bindRows, insideRows, type ListRows } from './list-rows.ts';

/** Lowers the one value of an aggregate query over a list. */
export function singleOfList(context: LoweringContext, plan: Select, rows: ListRows): string {
  const { aggregates, replace } = withVariables(context, plan);
  const having = plan.having === null ? null : replace(plan.having);
  const item = replace(plan.item);
  const isRowsRepeated = aggregates.length > 1;
  const body = (bound: ListRows): string =>
    bindAggregates(
      context,
      bound,
      aggregates,
      (scope) => {
        const value = lowerValue(context, item, scope);
        return having === null ? value : `CASE WHEN ${lowerValue(context, having, scope)} THEN ${value} END`;
      },
      isRowsRepeated,
    );
  return isRowsRepeated ? bindRows(rows, body) : body(rows);
}

type Named = ReturnType<typeof withVariables>['aggregates'];

/** The aggregates of a list's rows as one struct, in whose lambda the body stands. */
function bindAggregates(
  context: LoweringContext,
  rows: ListRows,
  aggregates: Named,
  body: (scope: Scope) => string,
  isInLambda: boolean,
): string {
  const scope: Scope = isInLambda ? { ...rows.scope, lambda: rows.scope.lambda ?? new Set() } : rows.scope;
  const at = { ...rows, scope };
  const values = aggregates.map(({ aggregate }) => aggregateOfList(context, at, aggregate));
  const [only] = aggregates;
  if (only === undefined) return body(scope);
  const name = freshName(context, 'x');
  const packed = `struct_pack(${values.map((sql, i) => `a${i} := ${sql}`).join(', ')})`;
  return `list_extract(list_transform([${packed}], lambda ${name}: ${body(
    bindLambda(
      scope,
      aggregates.map(({ id }, i) => [id, `${name}.a${i}`]),
    ),
  )}), 1)`;
}

/** An aggregate of the rows of a list: FILTER, ORDER BY, the arguments, DISTINCT, and then the aggregate. */
function aggregateOfList(context: LoweringContext, rows: ListRows, aggregate: Aggregate): string {
  const lowering = ownValue(AGGREGATE_LOWERINGS, aggregate.function);
  if (lowering === undefined) throw new Error(`${aggregate.function} is no aggregate`);
  const inside = insideRows(rows);
  const list =
    aggregate.filter === null
      ? rows.list
      : `list_filter(${rows.list}, lambda ${rows.element}: coalesce(${lowerValue(context, aggregate.filter, inside)}, FALSE))`;
  const values = argumentList(context, { ...rows, list }, aggregate);
  const distinct = aggregate.isDistinct ? distinctArguments(aggregate, values) : values;
  const args = aggregate.arguments.map((argument): LoweredArgument => ({
    sql: argument.kind === 'Constant' ? lowerValue(context, argument, inside) : 'NULL',
    type: argument.type,
    constant: constantOf(argument),
  }));
  const call = callContext(context, aggregate, { functionName: aggregate.function, isInTry: rows.scope.isInTry });
  return bindOnce([distinct], (bound) => lowering.overList(bound, args, call));
}

/** The values of the arguments, one element for each row: the value of the one, or a struct. */
function argumentList(context: LoweringContext, rows: ListRows, aggregate: Aggregate): string {
  const [first, ...others] = aggregate.arguments;
  const inside = insideRows(rows);
  if (aggregate.orderBy.length > 0) {
    const item: Plan = others.length === 0 && first !== undefined ? first : recordOfArguments(aggregate);
    return sortedList(context, rows, aggregate.orderBy, item);
  }
  if (first === undefined) return rows.list;
  const value = lowerValue(context, others.length === 0 ? first : recordOfArguments(aggregate), inside);
  return value === rows.element ? rows.list : `list_transform(${rows.list}, lambda ${rows.element}: ${value})`;
}

function recordOfArguments(aggregate: Aggregate): Plan {
  return {
    kind: 'RecordLiteral',
    span: aggregate.span,
    values: aggregate.arguments,
    type: { kind: 'RecordType', isNullable: false, fields: aggregate.arguments.map(({ type }, i) => ({ name: `a${i}`, type })) },
  };
}

function distinctArguments(aggregate: Aggregate, values: string): string {
  const [first] = aggregate.arguments;
  if (first === undefined) return values;
  const [order] = aggregate.orderBy;
  const type = aggregate.arguments.length > 1 ? recordOfArguments(aggregate).type : first.type;
  const distinct = distinctElements(values, type, 'values');
  return order === undefined ? distinct : sortedBy(distinct, type, order);
}

/** GROUP BY over a list: its different keys, and for each the rows that have it. The square of the number of groups, and so for few. */
export function groupedList(
  context: LoweringContext,
  plan: Select,
  rows: ListRows,
): { readonly rows: ListRows; readonly item: Plan; readonly orderBy: readonly SortKey[] } {
  if (plan.grouping !== null && plan.grouping.sets !== null) throw severalGroupings(plan.span);
  const keys = plan.grouping?.keys ?? [];
  const { aggregates, replace } = withVariables(context, plan);
  const inside = insideRows(rows);
  const keyStruct = `struct_pack(${keys
    .map((key) => bindOnce([lowerValue(context, key.value, inside)], (sql) => `struct_pack(n := ${sql} IS NOT NULL, k := ${sql})`))
    .map((sql, i) => `k${i} := ${sql}`)
    .join(', ')})`;
  const keyed = `list_transform(${rows.list}, lambda ${rows.element}: struct_pack(k := ${keyStruct}, r := ${rows.element}))`;
  const [all, one, key, member, group] = ['x', 'x', 'x', 'x', 'x'].map((prefix) => freshName(context, prefix)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const keysOfRows = `list_transform(${all}, lambda ${one}: ${one}.k)`;
  const distinct = keys.some((key) => holdsInterval(key.value.type))
    ? distinctElements(keysOfRows, typeOfKeys(keys), 'values')
    : `list_sort(list_distinct(${keysOfRows}))`;
  const scope: Scope = { ...rows.scope, lambda: rows.scope.lambda ?? new Set() };
  const members: ListRows = {
    list: `list_transform(list_filter(${all}, lambda ${member}: ${member}.k = ${key}), lambda ${one}: ${one}.r)`,
    element: rows.element,
    bindings: rows.bindings,
    // An aggregate that a query over `*` became may use keys.
    scope: bindLambda(
      scope,
      keys.map(({ id }, i) => [id, `${key}.k${i}.k`]),
    ),
  };
  const values = bindRows(
    members,
    (bound) =>
      `struct_pack(${['k := ' + key, ...aggregates.map(({ aggregate }, i) => `a${i} := ${aggregateOfList(context, bound, aggregate)}`)].join(', ')})`,
  );
  const groups: ListRows = {
    list: `list_extract(list_transform([${keyed}], lambda ${all}: list_transform(${distinct}, lambda ${key}: ${values})), 1)`,
    element: group,
    scope: rows.scope,
    bindings: [
      ...keys.map(({ id }, i) => [id, `${group}.k.k${i}.k`] as const),
      ...aggregates.map(({ id }, i) => [id, `${group}.a${i}`] as const),
    ],
  };
  const kept = plan.having === null ? groups : filtered(context, groups, replace(plan.having));
  return { rows: kept, item: replace(plan.item), orderBy: plan.orderBy.map((sortKey) => ({ ...sortKey, value: replace(sortKey.value) })) };
}

/** The type of the struct of a group's keys. */
function typeOfKeys(keys: NonNullable<Select['grouping']>['keys']): Type {
  return recordOf(
    keys.map(({ value }, i) => ({
      name: `k${i}`,
      type: recordOf([
        { name: 'n', type: bool },
        { name: 'k', type: value.type },
      ]),
    })),
  );
}

function filtered(context: LoweringContext, groups: ListRows, having: Plan): ListRows {
  const element = freshName(context, 'x');
  return {
    ...groups,
    list: `list_filter(${groups.list}, lambda ${groups.element}: coalesce(${lowerValue(context, having, insideRows(groups))}, FALSE))`,
    element,
    bindings: groups.bindings.map(([id, at]) => [id, at.replace(groups.element, element)]),
  };
}
