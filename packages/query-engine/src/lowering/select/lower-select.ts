import type { Plan, PlanSource, Select } from '@svc/query-language';

import { conjuncts } from '../../analysis/conjuncts.ts';
import { dependsOnRow, isWithinRow } from '../../analysis/correlation.ts';
import { hasWindows, isRelational, isSemiJoin, needsSubquery } from '../../analysis/relational-analysis.ts';
import { bindingOf } from '../../analysis/scope-bindings.ts';
import { somePart, usesAny } from '../../analysis/variables.ts';
import type { RelationColumn, RelationLayout } from '../../representation/relation-layout.ts';
import { isSameSql, withoutRepeats } from '../../sql/inspect-sql.ts';
import { select, subquery } from '../../sql/select.ts';
import { aliased, NULL, type Sql } from '../../sql/sql.ts';
import type { LoweringContext, OrderedRelation, RelationOptions } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { asRowTable } from '../row-table.ts';
import { columnsOf, freshLayout, rowBinding, rowKeys, withScales } from '../relation.ts';
import { sortable } from '../scalars/comparable.ts';
import { lowerKept, type KeptValue } from '../scalars/decimal-scale.ts';
import { sortText, type SortColumn } from '../scalars/sort-key.ts';
import type { Scope } from '../scope.ts';
import { bindAll } from '../scope.ts';
import { lowerBounds } from './bounds.ts';
import { filterRows, splitWhere } from './filter-rows.ts';
import { keepsRowsOfGroups, lowerGroups, partsOfGroups } from './grouping.ts';
import { withCorrelatedColumns, columnFor, keepWhere, numberRows, onRows, withColumns, type Rows, type Tail } from './rows.ts';
import { lowerSources } from './sources.ts';
import { lowerWindows } from './windows.ts';

/** A SELECT as a relation. */
export function lowerSelect(context: LoweringContext, plan: Select, outer: Scope, options: RelationOptions): OrderedRelation {
  const scope = { ...outer, isInBranch: false }; // no branch guards it
  const keepsOrder = needsSourceOrder(plan, scope, options);
  const isExplicit = options.isExplicit || (keepsOrder && plan.sources.slice(1).some((source) => disturbsRows(source, scope)));
  const where = splitWhere(plan, scope);
  const sources = lowerSources(context, plan, scope, { keepsOrder, isExplicit, where });
  const isNumbered = keepsOrder && (!isExplicit || sources.keys.length === 0) && disturbsOrder(plan, scope);
  const filtered = filterRows(context, isNumbered ? numberRows(context, sources) : sources, where, scope);
  const tail = plan.grouping === null ? lowerWindows(context, plan, filtered) : groupTail(context, plan, filtered, { keepsOrder, scope });
  const rows = readsLists(tail, scope) ? asRowTable(context, tail.rows) : tail.rows;
  return finish(context, plan, { ...tail, rows }, scope, options);
}

/** Returns whether the items of a SELECT that is within no row hold a subquery over a list of their row. */
function readsLists({ item, orderBy, rows }: Tail, outer: Scope): boolean {
  const { variables } = rows.scope;
  const isList = ({ collection }: PlanSource): boolean => dependsOnRow(collection, rows.scope) && !isRelational(collection, variables);
  const reads = (part: Plan): boolean => part.kind === 'Select' && part.sources.some(isList) && needsSubquery(part, variables);
  return !isWithinRow(outer) && [item, ...orderBy.map((key) => key.value)].some((part) => somePart(part, reads));
}

/**
 * Returns whether the order of the sources affects the result: the order of its rows, the choice of LIMIT, or an aggregate
 * of a group.
 */
function needsSourceOrder(plan: Select, scope: Scope, options: RelationOptions): boolean {
  if (plan.grouping !== null) return keepsRowsOfGroups(plan);
  const isInOrder = plan.order === 'source' || (plan.order === 'none' && beginsWithOuter(plan, scope));
  if (hasWindows(plan) && isInOrder) return true;
  return isInOrder && plan.orderBy.length === 0 && (options.keepsOrder || plan.limit !== null || plan.offset !== null);
}

/** Returns whether the first source is a collection of an outer row: joins keep its order, whatever the others depend on. */
function beginsWithOuter({ sources: [first] }: Select, scope: Scope): boolean {
  return first !== undefined && dependsOnRow(first.collection, scope);
}

/** Returns whether subqueries, which the engine converts to joins, or windows may change the order of the rows. */
function disturbsOrder(plan: Select, scope: Scope): boolean {
  if (hasWindows(plan)) return true;
  const parts = [plan.item, ...(plan.where === null ? [] : [plan.where]), ...(plan.grouping?.keys ?? []).map((key) => key.value)];
  return parts.some((part) => makesJoin(part, scope));
}

/** Returns whether a later source, or its ON, changes the order of the rows before it. */
function disturbsRows({ collection, on }: PlanSource, scope: Scope): boolean {
  return makesJoin(collection, scope) || (on !== null && makesJoin(on, scope));
}

function makesJoin(plan: Plan, scope: Scope): boolean {
  const isJoin = (part: Plan): boolean => {
    if (part.kind === 'In') return isRelational(part.collection, scope.variables);
    if (part.kind === 'Call') return isSemiJoin(part, scope.variables);
    return (part.kind === 'Select' || part.kind === 'SetOperation') && needsSubquery(part, scope.variables);
  };
  return somePart(plan, isJoin);
}

interface OuterOfGroups {
  readonly keepsOrder: boolean;
  /** The scope around the Select. */
  readonly scope: Scope;
}

/** Lowers GROUP BY and HAVING. */
function groupTail(context: LoweringContext, plan: Select, rows: Rows, { keepsOrder, scope }: OuterOfGroups): Tail {
  const totals = plan.grouping?.sets?.filter((set) => set.length === 0) ?? [];
  // The engine adds one group to a correlated subquery over no rows, however many of its groupings have no keys.
  if (totals.length > 1 && dependsOnRow(plan, scope))
    throw new LoweringUnsupported(
      'several groupings without keys cannot group what belongs to a row around: leave one of them in GROUPING SETS',
      plan.span,
    );
  const groups = lowerGroups(context, plan, keepsOrder && rows.keys.length === 0 ? numberRows(context, rows) : rows, scope);
  const tail = { ...groups, rows: withCorrelatedColumns(context, groups.rows, scope, partsOfGroups(groups)) };
  if (tail.having === null || plan.isSingle) return tail;
  return { ...tail, rows: keepWhere(context, tail.rows, conjuncts(tail.having)) };
}

/** Items, DISTINCT, ORDER BY, OFFSET and LIMIT over the rows. */
function finish(context: LoweringContext, plan: Select, tail: Tail, scope: Scope, options: RelationOptions): OrderedRelation {
  const isItemFirst =
    plan.isDistinct ||
    makesJoin(tail.item, tail.rows.scope) ||
    tail.orderBy.some((key) => usesAny(key.value, new Set([plan.itemVariable])));
  const bounds = lowerBounds(context, plan, scope);
  const isBounded = bounds.limit !== null || bounds.offset !== null;
  const needsOrder = options.keepsOrder || isBounded;
  const made = isItemFirst ? makeItem(context, plan, tail) : null;
  const sorted = needsOrder
    ? sortColumns(context, plan, { ...tail, rows: made?.rows ?? tail.rows }, made?.layout ?? null)
    : { rows: made?.rows ?? tail.rows, keys: [] };
  const isSorted = !options.isExplicit && (sorted.keys.length > 0 || isBounded);
  const orderBy = sorted.keys.map((key) => sortText(key.sql, key));
  const inOrder = select({ takesAll: true, from: sorted.rows.from, orderBy, ...bounds });
  const rows = isSorted ? { ...sorted.rows, from: subquery(inOrder) } : sorted.rows;
  const { rows: last, layout } = made === null ? makeItem(context, plan, { ...tail, rows }) : { rows, layout: made.layout };
  const keys = options.isExplicit ? sorted.keys : [];
  const items = withoutRepeats([...columnsOf(layout), ...keys.map(({ sql }) => sql)]);
  return { sql: select({ items, from: last.from }), layout, keys, position: null };
}

/** The columns by which the rows are sorted. */
function sortColumns(
  context: LoweringContext,
  plan: Select,
  tail: Tail,
  layout: RelationLayout | null,
): { readonly rows: Rows; readonly keys: readonly SortColumn[] } {
  if (tail.orderBy.length === 0) {
    if (plan.isDistinct && layout !== null) return byRow(context, tail.rows, layout);
    return { rows: tail.rows, keys: tail.rows.keys };
  }
  const { rows, result } = onRows(context, tail.rows, (scope) =>
    tail.orderBy.map((key) => ({ key, sql: sortable(lowerKept(context, key.value, scope).sql, key.value.type) })),
  );
  const named = result.map(({ key: { isDescending, areNullsFirst }, sql }) => {
    return { name: columnFor(context, rows, sql, 'k'), sql, isDescending, areNullsFirst };
  });
  return {
    rows: withColumns(rows, named),
    keys: named.map(({ name, isDescending, areNullsFirst }) => ({ sql: name, isDescending, areNullsFirst })),
  };
}

/** Sorts distinct rows in ascending order. */
function byRow(
  context: LoweringContext,
  rows: Rows,
  layout: RelationLayout,
): { readonly rows: Rows; readonly keys: readonly SortColumn[] } {
  const { keys, added } = rowKeys(context, layout);
  return { rows: withColumns(rows, added), keys };
}

/**
 * Adds the element of the result as columns: one per field for a record literal. With DISTINCT, which applies to the element
 * alone, without other columns.
 */
function makeItem(context: LoweringContext, plan: Select, tail: Tail): { readonly rows: Rows; readonly layout: RelationLayout } {
  const { rows, result } = onRows(context, tail.rows, (scope) => lowerItem(context, tail.item, { scope, rows: tail.rows }));
  const names = columnsOf(result.layout);
  const columns = names.map((name, i) => ({ name, sql: result.columns[i] ?? NULL }));
  const distinct = select({ isDistinct: true, items: columns.map(aliased), from: rows.from });
  const made = plan.isDistinct
    ? { ...rows, from: subquery(distinct), columns: new Set(names.map(({ name }) => name)) }
    : withColumns(rows, columns);
  return { rows: { ...made, scope: bindAll(made.scope, [[plan.itemVariable, rowBinding(result.layout)]]) }, layout: result.layout };
}

/** A value that is a column already keeps its name, at its first use. */
function underOwnName(rows: Rows, values: readonly Sql[]) {
  return (column: RelationColumn, i: number): RelationColumn => {
    const value = values[i];
    if (value?.kind !== 'column' || !rows.columns.has(value.name)) return column;
    return values.findIndex((other) => isSameSql(other, value)) === i ? { ...column, name: value.name } : column;
  };
}

/** Lowers the fields of an item that is a record literal or a row. Null for other items. */
function itemFields(context: LoweringContext, item: Plan, scope: Scope): readonly KeptValue[] | null {
  const row = bindingOf(item, scope);
  if (row?.kind === 'row' && row.present === null) return row.columns.map((sql, i) => ({ sql, scale: row.scales[i] }));
  if (item.kind !== 'RecordLiteral') return null;
  return item.values.map((value) => lowerKept(context, value, scope));
}

function lowerItem(
  context: LoweringContext,
  item: Plan,
  { scope, rows }: { readonly scope: Scope; readonly rows: Rows },
): { readonly layout: RelationLayout; readonly columns: readonly Sql[] } {
  const layout = freshLayout(context, item.type);
  const fields = layout.kind === 'columns' ? itemFields(context, item, scope) : null;
  if (layout.kind === 'columns' && fields !== null) {
    const columns = fields.map(({ sql }) => sql);
    const named: RelationLayout = { kind: 'columns', columns: layout.columns.map(underOwnName(rows, columns)) };
    const scales = fields.map(({ scale }) => scale);
    return { layout: withScales(named, scales), columns };
  }
  const { sql, scale } = lowerKept(context, item, scope);
  return { layout: { kind: 'value', column: freshColumn(context, 'c').name, type: item.type, scale }, columns: [sql] };
}
