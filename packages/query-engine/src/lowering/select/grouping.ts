import type { Aggregate, GroupKey, Plan, Select, SortKey } from '@svc/query-language';
import { COLLECT, long, ownValue, nullOf } from '@svc/query-language';

import { conjuncts } from '../../analysis/conjuncts.ts';
import type { RowParts } from '../../analysis/correlation.ts';
import { duckType } from '../../representation/duck-type.ts';
import { aggregatesOf, extractAggregates } from '../../rewrite/extract-aggregates.ts';
import type { NestedGroups } from '../../rewrite/extract-nested-groups.ts';
import { nestedGroupsOf, extractNestedGroups } from '../../rewrite/extract-nested-groups.ts';
import { substitute } from '../../rewrite/substitute.ts';
import { select, subquery } from '../../sql/select.ts';
import { aliased, castTo, joinSql, NOTHING, SQL, type Column, type Sql } from '../../sql/sql.ts';
import { AGGREGATE_LOWERINGS } from '../functions/aggregate-functions.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { callContext, freshColumn, newVariable } from '../lowering-context.ts';
import { keysOf } from '../relation.ts';
import { sortable } from '../scalars/comparable.ts';
import { lowerKept } from '../scalars/decimal-scale.ts';
import { sortKeyValue, type SortColumn } from '../scalars/sort-key.ts';
import type { Binding, Scope } from '../scope.ts';
import { bindAll } from '../scope.ts';
import { lowerInputs } from './call-inputs.ts';
import { withCorrelatedColumns, columnFor, keepWhere, onRows, withColumns, type Rows, type Tail } from './rows.ts';

/** Returns whether an aggregate of the Select depends on the source order of its group's rows. */
export function keepsRowsOfGroups(plan: Select): boolean {
  const { plan: rest, nested } = nestedGroupsOf(plan);
  return (
    aggregatesOf(rest).some(
      (aggregate) =>
        ownValue(AGGREGATE_LOWERINGS, aggregate.function)?.isOrdered === true && aggregate.orderBy.length === 0 && !aggregate.isDistinct,
    ) || nested.some(({ groups }) => keepsRowsOfGroups(groups([])))
  );
}

/** Lowers the rows of a grouped Select: one per group, with its keys and aggregates as columns. `around` is the scope around the Select. */
export function lowerGroups(
  context: LoweringContext,
  original: Select,
  rows: Rows,
  around: Scope,
): Tail & { readonly having: Plan | null } {
  const { plan, nested } = extractNestedGroups(original, () => newVariable(context));
  const { replace, aggregates } = extractAggregates(plan, () => newVariable(context));
  const keyed = onRows(context, rows, (scope) =>
    (plan.grouping?.keys ?? []).map((key) => {
      const { sql, scale } = lowerKept(context, key.value, scope);
      return { ...key, name: columnFor(context, rows, sql, 'c'), sql, scale, type: key.value.type };
    }),
  );
  let all = withColumns(keyed.rows, keyed.result);
  const keys = keyed.result.map(({ id, name, scale, type, rolledUp }) => ({ id, name, scale, type, rolledUp }));
  const ofKeys = keys.map(({ id, name, scale }): [number, Binding] => [id, { kind: 'column', sql: name, scale }]);
  all = { ...all, scope: bindAll(all.scope, ofKeys) };
  const keyedRows = all;
  const values = aggregates.map(({ aggregate, id }) => {
    const { rows: below, sql } = aggregateSql(context, aggregate, all);
    all = below;
    return { id, name: freshColumn(context, 'c'), sql };
  });
  // NULL in the group of no rows of a correlated subquery, which the engine adds by a left join.
  const bits = keys.flatMap(({ name, rolledUp }) =>
    rolledUp === null ? [] : [{ id: rolledUp, name: freshColumn(context, 'c'), sql: SQL`coalesce(grouping(${name}), 1)`, type: long }],
  );
  const items = [...keys.map(({ name }) => name), ...[...bits, ...values].map(aliased)];
  const groupBy = keys.length === 0 ? null : groupingSql(plan, keys);
  const from = subquery(select({ items: items.length === 0 ? [SQL`count(*) AS unused`] : items, from: all.from, groupBy }));
  const made = [...keys, ...bits, ...values];
  const ofOthers = [...bits, ...values].map(({ id, name }): [number, Binding] => [id, { kind: 'column', sql: name }]);
  const sorted = keysOf(context, [...keys, ...bits]);
  const columns = new Set(made.map(({ name }) => name.name));
  const plainGroups = withColumns({ from, columns, scope: bindAll(rows.scope, [...ofKeys, ...ofOthers]), keys: sorted.keys }, sorted.added);
  const outer = keys.flatMap(({ id, name }) => (plan.grouping?.keys ?? []).filter((key) => key.id === id).map((key) => ({ ...key, name })));
  const groups = nested.reduce(
    (sofar, one) => joinNestedGroups(context, one, { groups: sofar, rows: keyedRows, outer, around }),
    plainGroups,
  );
  const having = plan.having === null ? null : replace(plan.having);
  const orderBy = plan.orderBy.map((key): SortKey => ({ ...key, value: replace(key.value) }));
  const item = replace(plan.item);
  if (!plan.isSingle) return { rows: groups, item, orderBy, having };
  return { rows: groups, item: onlyIf(having, item, plan), orderBy: [], having: null };
}

/** The keys of the single grouping, or of each grouping set. */
function groupingSql({ grouping }: Select, keys: readonly { readonly name: Column }[]): Sql {
  const list = (places: readonly number[]): Sql => joinSql(places.flatMap((place) => keys[place]?.name ?? []));
  if (grouping === null || grouping.sets === null) return list([...keys.keys()]);
  return SQL`GROUPING SETS (${joinSql(grouping.sets.map((set) => SQL`(${list(set)})`))})`;
}

interface OuterGroups {
  /** One row per group. */
  readonly groups: Rows;
  /** The rows of the groups, with the keys as columns. */
  readonly rows: Rows;
  readonly outer: readonly (GroupKey & { readonly name: Column })[];
  readonly around: Scope;
}

/** Adds a column to the groups: the collection that a nested grouping returns for each. */
function joinNestedGroups(context: LoweringContext, nested: NestedGroups, at: OuterGroups): Rows {
  const { groups, rows, outer, around } = at;
  const plan = nested.groups(
    outer.map(({ id, value }) => ({ id, rolledUp: null, value: { kind: 'Variable', type: value.type, span: value.span, id } })),
  );
  const lowered = lowerGroups(context, plan, keepWhere(context, rows, nested.where === null ? [] : conjuncts(nested.where)), around);
  const inner = { ...lowered, rows: withCorrelatedColumns(context, lowered.rows, around, partsOfGroups(lowered)) };
  const kept = inner.having === null ? inner.rows : keepWhere(context, inner.rows, conjuncts(inner.having));
  const { rows: made, result } = onRows(context, kept, (scope) => ({
    value: context.lowerValue(inner.item, scope),
    keys: inner.orderBy.map((key): SortColumn => ({
      ...key,
      sql: sortable(context.lowerValue(substitute(key.value, plan.itemVariable, inner.item), scope), key.value.type),
    })),
  }));
  const [value, sortKey, list] = [freshColumn(context, 'c'), freshColumn(context, 'k'), freshColumn(context, 'c')];
  const order = sortKeyValue([...result.keys, ...inner.rows.keys.slice(outer.length)]);
  const { from } = withColumns(made, [
    { name: value, sql: result.value },
    { name: sortKey, sql: order },
  ]);
  const keys = outer.map(({ id, name }) => {
    const binding = inner.rows.scope.variables.get(id);
    if (binding?.kind !== 'column') throw new Error('a key of the outer groups is a key of the nested ones');
    return { sql: binding.sql, outer: name, name: freshColumn(context, 'c') };
  });
  const collected = ownValue(AGGREGATE_LOWERINGS, COLLECT)?.overRows(
    [{ sql: value, type: inner.item.type, constant: undefined }],
    { distinct: NOTHING, suffix: NOTHING, orderKey: sortKey },
    callContext(context, nested, COLLECT, around),
  );
  if (collected === undefined) throw new Error('COLLECT has a lowering');
  const items = [...keys, { sql: collected, name: list }].map(aliased);
  const lists = subquery(select({ items, from, groupBy: joinSql(keys.map(({ sql }) => sql)) }));
  const isSame = keys.map((key) => SQL`${key.outer} IS NOT DISTINCT FROM ${key.name}`);
  return {
    ...groups,
    from: subquery(select({ takesAll: true, from: SQL`${groups.from} LEFT JOIN ${lists} ON (${joinSql(isSame, ' AND ')})` })),
    scope: bindAll(groups.scope, [[nested.id, { kind: 'column', sql: SQL`coalesce(${list}, ${castTo(SQL`[]`, duckType(nested.type))})` }]]),
  };
}

/** Returns the expressions evaluated on the rows of groups. */
export function partsOfGroups({ item, having, orderBy }: ReturnType<typeof lowerGroups>): RowParts {
  return { plain: [item, ...(having === null ? [] : [having]), ...orderBy.map((key) => key.value)], inLambdas: [] };
}

/** The one value of an aggregate query is NULL where HAVING does not hold. */
function onlyIf(condition: Plan | null, item: Plan, plan: Select): Plan {
  if (condition === null) return item;
  return {
    kind: 'Case',
    type: plan.type,
    span: plan.span,
    branches: [{ when: condition, then: item }],
    otherwise: nullOf(plan.type, plan.span),
  };
}

/** Lowers an aggregate over the rows of a group, with columns as arguments and filter. */
function aggregateSql(context: LoweringContext, aggregate: Aggregate, rows: Rows): { readonly rows: Rows; readonly sql: Sql } {
  const lowering = ownValue(AGGREGATE_LOWERINGS, aggregate.function);
  if (lowering === undefined) throw new Error(`${aggregate.function} is no aggregate`);
  // The checker ensures that DISTINCT values are ordered by themselves only.
  const [distinctOrder = null] = aggregate.orderBy;
  const { filter, args, column, value, rows: below } = lowerInputs(context, rows, aggregate);
  const sortKeys = (aggregate.isDistinct ? [] : aggregate.orderBy).map((key): SortColumn => ({
    sql: sortable(value(key.value), key.value.type),
    isDescending: key.isDescending,
    areNullsFirst: key.areNullsFirst,
  }));
  const keys = lowering.isOrdered ? [...sortKeys, ...rows.keys] : [];
  const orderKey = keys.length === 0 ? null : column(() => sortKeyValue(keys));
  const call = callContext(context, aggregate, aggregate.function, rows.scope);
  const sql = lowering.overRows(
    args,
    {
      distinct: aggregate.isDistinct ? SQL`DISTINCT ` : NOTHING,
      suffix: filter === null ? NOTHING : SQL` FILTER (WHERE ${filter})`,
      orderKey,
      distinctOrder,
    },
    call,
  );
  return { rows: below(), sql };
}
