import type { Aggregate, Plan, Select, SortKey } from '@svc/query-language';
import { bool } from '@svc/query-language';

import { AGGREGATE_LOWERINGS } from '../functions/aggregate-functions.ts';
import { canFail } from '../can-fail.ts';
import { newVariable } from '../functions-over-relations.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { callContext, freshName } from '../lowering-context.ts';
import type { LoweredArgument } from '../lowering-types.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { constantOf, lowerValue } from '../lower-value.ts';
import { lowerCondition } from '../conditions.ts';
import { ascending, sortKeyValue, type SortColumn } from '../relation.ts';
import type { Binding } from '../scope.ts';
import { bindAll } from '../scope.ts';
import { simplifiedGroups } from './group-queries.ts';
import type { Tail } from './lower-select.ts';
import { ownAggregates, withVariables } from './own-aggregates.ts';
import { onRows, withColumns, type Rows } from './rows.ts';

/** Whether an aggregate of the Select sees the rows of its group in the order of the source. */
export function keepsRowsOfGroups(plan: Select): boolean {
  return ownAggregates(simplifiedGroups(plan)).some(
    (aggregate) => AGGREGATE_LOWERINGS[aggregate.function]?.isOrdered === true && aggregate.orderBy.length === 0 && !aggregate.isDistinct,
  );
}

/** The rows of a grouped Select: one per group, with its keys and aggregates as columns. */
export function lowerGroups(context: LoweringContext, original: Select, rows: Rows): Tail & { readonly having: Plan | null } {
  const plan = simplifiedGroups(original);
  const { replace, aggregates } = withVariables(context, plan);
  const keyed = onRows(context, rows, (scope) =>
    (plan.grouping?.keys ?? []).map((key) => ({ id: key.id, name: freshName(context, 'c'), sql: lowerValue(context, key.value, scope) })),
  );
  let all = withColumns(keyed.rows, keyed.result);
  const keys = keyed.result.map(({ id, name }) => ({ id, name }));
  all = {
    ...all,
    scope: bindAll(
      all.scope,
      keys.map(({ id, name }): [number, Binding] => [id, { kind: 'sql', sql: name }]),
    ),
  };
  const values = aggregates.map(({ aggregate, id }) => {
    const { rows: below, sql } = aggregateSql(context, aggregate, all);
    all = below;
    return { id, name: freshName(context, 'c'), sql };
  });
  const items = [...keys.map(({ name }) => name), ...values.map(({ name, sql }) => `${sql} AS ${name}`)];
  const groupBy = keys.length === 0 ? '' : ` GROUP BY ${keys.map(({ name }) => name).join(', ')}`;
  const from = `(SELECT ${items.length === 0 ? 'count(*) AS unused' : items.join(', ')} FROM ${all.from}${groupBy})`;
  const bindings = [...keys, ...values].map(({ id, name }): [number, Binding] => [id, { kind: 'sql', sql: name }]);
  const order = plan.order === 'sorted' && !plan.isSingle ? keys.map(({ name }) => ascending(name)) : [];
  const groups: Rows = { from, scope: bindAll(rows.scope, bindings), keys: order };
  const having = plan.having === null ? null : replace(plan.having);
  const orderBy = plan.orderBy.map((key): SortKey => ({ ...key, value: replace(key.value) }));
  const item = replace(plan.item);
  if (!plan.isSingle) return { rows: groups, item, orderBy, having };
  const { guards } = rows.scope;
  if (guards.length === 0 || !canFail(item)) return { rows: groups, item: onlyIf(having, item, plan), orderBy: [], having: null };
  const guard = newVariable(context);
  const isTaken: Plan = { kind: 'Variable', type: bool, span: plan.span, id: guard };
  const scope = bindAll(groups.scope, [[guard, { kind: 'sql', sql: `(${guards.join(' AND ')})` }]]);
  return { rows: { ...groups, scope }, item: onlyIf(isTaken, onlyIf(having, item, plan), plan), orderBy: [], having: null };
}

/** The one value of an aggregate query is NULL where HAVING does not hold; in a branch that is not taken it must not fail either. */
function onlyIf(condition: Plan | null, item: Plan, plan: Select): Plan {
  if (condition === null) return item;
  return {
    kind: 'Case',
    type: plan.type,
    span: plan.span,
    branches: [{ when: condition, then: item }],
    otherwise: { kind: 'Constant', type: plan.type, span: plan.span, value: null },
  };
}

/** An aggregate over the rows of a group, whose arguments and filter are columns. */
function aggregateSql(context: LoweringContext, aggregate: Aggregate, rows: Rows): { readonly rows: Rows; readonly sql: string } {
  const lowering = AGGREGATE_LOWERINGS[aggregate.function];
  if (lowering === undefined) throw new LoweringUnsupported(aggregate.function, aggregate.span);
  // DISTINCT values are ordered by themselves only: the checker sees to it.
  const [distinctOrder] = aggregate.isDistinct ? aggregate.orderBy : [];
  let all = rows;
  const column = (lower: (scope: Rows['scope']) => string): string => {
    const { rows: below, result } = onRows(context, all, lower);
    if (/^[ck]\d+$/.test(result)) {
      all = below;
      return result;
    }
    const name = freshName(context, 'c');
    all = withColumns(below, [{ name, sql: result }]);
    return name;
  };
  const { filter } = aggregate;
  const condition = filter === null ? null : column((scope) => lowerCondition(context, filter, scope));
  const value = (plan: Plan): string =>
    plan.kind === 'Constant'
      ? lowerValue(context, plan, all.scope)
      : column((scope) => {
          const sql = lowerValue(context, plan, scope);
          return condition !== null && canFail(plan) ? `CASE WHEN ${condition} THEN ${sql} END` : sql;
        });
  const args = aggregate.arguments.map((argument): LoweredArgument => ({
    sql: value(argument),
    type: argument.type,
    constant: constantOf(argument),
  }));
  const sortKeys: SortColumn[] = (aggregate.isDistinct ? [] : aggregate.orderBy).map((key) => ({
    sql: value(key.value),
    isDescending: key.isDescending,
    areNullsFirst: key.areNullsFirst,
    isPosition: false,
  }));
  const keys = [...sortKeys, ...(lowering.isOrdered ? rows.keys : [])];
  const orderKey = keys.length === 0 ? null : column(() => sortKeyValue(keys));
  const call = callContext(context, aggregate, { functionName: aggregate.function, overload: '', isInTry: false });
  const sql = lowering.overRows(
    args,
    {
      distinct: aggregate.isDistinct ? 'DISTINCT ' : '',
      suffix: condition === null ? '' : ` FILTER (WHERE ${condition})`,
      orderKey: lowering.isOrdered ? orderKey : null,
      distinctOrder: distinctOrder ?? null,
    },
    call,
  );
  return { rows: all, sql };
}
