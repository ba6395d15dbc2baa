import type { Case, Field, Plan, Read, SetOperation } from '@svc/query-language';

import { dependsOnRow, readsSubquery } from '../analysis/correlation.ts';
import { isRelational, needsSubquery, type RelationalKind } from '../analysis/relational-analysis.ts';
import { bindingOf } from '../analysis/scope-bindings.ts';
import type { RelationLayout } from '../representation/relation-layout.ts';
import { select, subquery, wholeRelation } from '../sql/select.ts';
import { aliased, columnRef, joinSql, NOTHING, SQL, type NamedSql, type Sql } from '../sql/sql.ts';
import { selectorOf } from './conditions.ts';
import { createHoistedColumns, NO_HOISTED_COLUMNS, withHoistedColumns } from './hoisted-columns.ts';
import { openLet } from './lower-let.ts';
import type { LoweringContext, OrderedRelation, ReaderRelation, Relation, RelationOptions } from './lowering-context.ts';
import { addValueTable, besideRows, callContext, freshColumn, newVariable } from './lowering-context.ts';
import type { CallContext } from './lowering-types.ts';
import { columnsOf, elementOf, freshLayout, partsFor, projected, renamed, rowKeys, rowsOfTable, rowValue } from './relation.ts';
import { fromRowTable } from './row-table.ts';
import { lowerCast, lowerWidening } from './scalars/lower-cast.ts';
import { byPosition, sortText } from './scalars/sort-key.ts';
import type { Scope } from './scope.ts';
import { bindAll, createScope, inBranch } from './scope.ts';
import { lowerSelect } from './select/lower-select.ts';
import { splitVectors, lowerOnRows } from './select/vector-splitting.ts';
import { singleRowRelation, UNIT } from './single-row-relation.ts';

/** The relation of a collection-valued plan: one row per element, in columns of new names. NULL counts as empty. */
export function lowerRelation(context: LoweringContext, plan: Plan, scope: Scope, options: RelationOptions): OrderedRelation {
  if (options.isExplicit && options.keepsOrder && !dependsOnRow(plan, scope)) return numbered(context, plan, scope);
  if (!isRelational(plan, scope.variables) && !isSaidAsRows(plan, scope)) return unnested(context, plan, scope, options);
  const lower = LOWERINGS[plan.kind as RelationalKind] as Lower<Plan> | undefined; // each is asked for plans of its kind
  return (lower ?? unnested)(context, plan, scope, options);
}

type Lower<P> = (context: LoweringContext, plan: P, scope: Scope, options: RelationOptions) => OrderedRelation;

/** Lowerings of relational plans. The elements of others are unnested. */
const LOWERINGS: { readonly [K in RelationalKind]: Lower<Plan & { readonly kind: K }> } = {
  Read: (context, plan) => unordered(readRelation(context, context.environment.reader(plan.key), plan)),
  TableScan: (context, plan) => {
    const rowType = elementOf(plan.type);
    return unordered(renamed(context, projected(context.environment.tableScan(plan.table), rowType), rowType));
  },
  Field: ofDocument,
  Select: (context, plan, scope, options) =>
    plan.isSingle || (options.isExplicit && hasBounds(plan))
      ? unnested(context, plan, scope, options)
      : lowerSelect(context, plan, scope, options),
  SetOperation: lowerSet,
  Variable: (context, plan, scope) => {
    const binding = scope.variables.get(plan.id);
    if (binding?.kind !== 'relation') throw new Error('rows have no one value');
    return unordered(rowsOfTable(context, binding, elementOf(plan.type)));
  },
  Let: (context, plan, scope, options) => {
    const inside = openLet(context, plan, scope);
    return inside === null ? unnested(context, plan, scope, options) : lowerRelation(context, plan.body, inside, options);
  },
  Convert: converted,
  Cast: (context, plan, scope, options) => (plan.isTry ? unnested : converted)(context, plan, scope, options),
  Case: (context, plan, scope, options) => (options.isExplicit ? unnested : lowerChoice)(context, plan, scope, options),
};

/** Returns a reader's relation, under its own names if they are unused in the statement: each layer is planned at each run. */
function readRelation(context: LoweringContext, source: ReaderRelation, { type, usedByMember }: Read): Relation {
  const rowType = elementOf(type);
  const reader = projected(source, rowType, usedByMember);
  const { layout } = reader;
  const names = columnsOf(layout).map(({ name }) => name);
  if (names.some((name) => context.readerColumns.has(name) || !name.startsWith('r'))) return renamed(context, reader, rowType);
  for (const name of names) context.readerColumns.add(name);
  if (layout.kind === 'value' || rowType.kind !== 'RecordType') return reader;
  return {
    ...reader,
    layout: { kind: 'columns', columns: layout.columns.map((column, i) => ({ ...column, field: rowType.fields[i] ?? column.field })) },
  };
}

/** Returns whether a plan is lowered to rows although it reads lists only. */
function isSaidAsRows(plan: Plan, scope: Scope): boolean {
  return plan.kind === 'Select' || plan.kind === 'Let' || (plan.kind === 'SetOperation' && needsSubquery(plan, scope.variables));
}

function unordered(relation: Pick<OrderedRelation, 'sql' | 'layout'>): OrderedRelation {
  return { ...relation, keys: [], position: null };
}

function hasBounds(plan: { readonly limit: Plan | null; readonly offset: Plan | null }): boolean {
  return plan.limit !== null || plan.offset !== null;
}

/** Lowers a self-contained relation within a correlated subquery: numbered before the engine converts that to a join. */
function numbered(context: LoweringContext, plan: Plan, scope: Scope): OrderedRelation {
  const relation = lowerRelation(context, plan, scope, { keepsOrder: true, isExplicit: false });
  const key = freshColumn(context, 'k');
  const sql = select({ takesAll: true, items: [SQL`row_number() OVER () - 1 AS ${key}`], from: subquery(relation.sql) });
  const rows = subquery(sql);
  const table = besideRows(context, [plan], scope, rows);
  return {
    sql: table === rows ? sql : wholeRelation(table),
    layout: relation.layout,
    keys: [byPosition(key)],
    position: key,
  };
}

/** The elements of a list value, one per row, in order. */
function unnested(
  context: LoweringContext,
  plan: Plan,
  scope: Scope,
  options: RelationOptions & { readonly isTaken?: Sql },
): OrderedRelation {
  const column = freshColumn(context, 'c');
  const layout = { kind: 'value', column: column.name, type: elementOf(plan.type) } as const;
  const { isTaken } = options;
  const { result: made, makesLongValues } = lowerOnRows(context, () => singleRowRelation(context, plan, scope));
  const isOfRows = scope.rowTable !== null && made.from === UNIT && dependsOnRow(plan, scope);
  const result = (isOfRows ? fromRowTable(context, scope.rowTable, made.value) : null) ?? made;
  const row = makesLongValues ? { ...result, from: splitVectors(context, result.from) } : result;
  // A declared list is read from its table: a subquery would keep the engine from some joins.
  const table = isTaken === undefined ? context.valueTables.get(row.value) : undefined;
  const { from, value: whole } = table === undefined ? row : { from: table, value: columnRef('v') };
  const value = isTaken === undefined ? whole : SQL`CASE WHEN ${isTaken} THEN ${whole} END`;
  // The engine allows no subquery within UNNEST; `isTaken` reads one.
  const isPlain = table !== undefined || (isTaken === undefined && !readsSubquery(plan, scope));
  if (isPlain && (!options.isExplicit || !options.keepsOrder))
    return { sql: select({ items: [SQL`unnest(${value}) AS ${column}`], from }), layout, keys: [], position: null };
  const [list, key] = [freshColumn(context, 'c'), freshColumn(context, 'k')];
  return {
    sql: SQL`SELECT unnest(${list}) AS ${column}, unnest(range(len(${list}))) AS ${key} FROM (SELECT ${value} AS ${list} FROM ${from})`,
    layout,
    keys: [byPosition(key)],
    position: key,
  };
}

/** The elements of a document's collection. It is read from a table: a subquery would keep the engine from some joins. */
function ofDocument(context: LoweringContext, plan: Plan & { readonly kind: 'Field' }, scope: Scope): OrderedRelation {
  const path: Field[] = [];
  let root: Plan = plan;
  for (; root.kind === 'Field'; root = root.target) path.unshift(root);
  const bound = bindingOf(root, scope);
  const declared = bound?.kind === 'shared' ? context.valueTables.get(bound.sql) : undefined;
  const table = declared ?? freshColumn(context, 'd');
  if (declared === undefined)
    addValueTable(context, table, singleRowRelation(context, root, createScope(NO_HOISTED_COLUMNS, scope.variables)));
  const id = newVariable(context);
  const document: Plan = { kind: 'Variable', type: root.type, span: root.span, id };
  const collection = path.reduce((target, field): Plan => ({ ...field, target }), document);
  const value = context.lowerValue(collection, bindAll(scope, [[id, { kind: 'column', sql: columnRef('v') }]]));
  const column = freshColumn(context, 'c');
  const type = elementOf(plan.type);
  const elements = select({ items: [SQL`unnest(${value}) AS ${column}`], from: table });
  // Columns for the fields: the engine makes joins of what depends on columns, not of what depends on fields of one.
  return unordered(renamed(context, { sql: elements, layout: { kind: 'value', column: column.name, type } }, type));
}

/** Widening and CAST of a collection, row by row. */
function converted(
  context: LoweringContext,
  plan: Plan & { readonly kind: 'Convert' | 'Cast' },
  scope: Scope,
  options: RelationOptions,
): OrderedRelation {
  const relation = lowerRelation(context, plan.operand, scope, options);
  const layout = freshLayout(context, elementOf(plan.type));
  const [from, to] = [elementOf(plan.operand.type), elementOf(plan.type)];
  const call = callContext(context, plan, 'CAST', scope);
  if (plan.kind === 'Convert' && relation.layout.kind === 'columns' && layout.kind === 'columns')
    return convertedByColumn(relation, relation.layout, layout, call);
  const row = rowValue(relation.layout);
  const value = plan.kind === 'Convert' ? lowerWidening(row, from, to, call) : lowerCast(row, from, to, false, call);
  const column = freshColumn(context, 'c');
  return {
    ...relation,
    layout: { kind: 'value', column: column.name, type: to },
    sql: withKeys(relation, [{ name: column, sql: value }]),
  };
}

type Columns = Extract<RelationLayout, { readonly kind: 'columns' }>;

/** Widens each column of records to the column at the same position. */
function convertedByColumn(relation: OrderedRelation, from: Columns, to: Columns, call: CallContext): OrderedRelation {
  const values = partsFor(from, to).map(({ name, sql }, i) => {
    const [before, after] = [from.columns[i], to.columns[i]];
    if (before === undefined || after === undefined) throw new Error('records are widened field by field');
    return { name, sql: lowerWidening(sql, before.field.type, after.field.type, call) };
  });
  return {
    ...relation,
    layout: to,
    sql: withKeys(relation, values),
  };
}

/** The values of a relation's rows, with the columns of its order. */
function withKeys({ sql, keys }: OrderedRelation, values: readonly NamedSql[]): Sql {
  return select({ items: [...values.map(aliased), ...keys.map((key) => key.sql)], from: subquery(sql) });
}

/** Computes the index of the selected branch in a table: it does not depend on a row. */
function chosenOnce(context: LoweringContext, plan: Case, scope: Scope): Sql {
  const hoisted = createHoistedColumns(context);
  const chosen = selectorOf(context, plan, { ...scope, hoisted });
  const name = freshColumn(context, 'd');
  return addValueTable(context, name, { value: chosen, from: withHoistedColumns(UNIT, hoisted) });
}

/**
 * Lowers IF and CASE between relations to the rows of the selected branch. A branch that is not a relation is evaluated only
 * if it is selected.
 */
function lowerChoice(context: LoweringContext, plan: Case, scope: Scope, options: RelationOptions): OrderedRelation {
  const selector = chosenOnce(context, plan, scope);
  const layout = freshLayout(context, elementOf(plan.type));
  const branches = [...plan.branches.map(({ then }) => then), plan.otherwise].map((branch, i) => {
    const isTaken = SQL`${selector} = ${i}`;
    const relation = isRelational(branch, scope.variables)
      ? lowerRelation(context, branch, scope, options)
      : unnested(context, branch, inBranch(scope), { ...options, isTaken });
    const items = partsFor(relation.layout, layout).map(aliased);
    return select({ items, from: subquery(relation.sql), where: [isTaken] });
  });
  return unordered({ sql: joinSql(branches, ' UNION ALL '), layout });
}

/** Sets in one step where many would be one within the other, which the engine plans in the cube of their number. */
function combined(operator: SetOperation['operator'], [first = NOTHING, ...others]: readonly Sql[]): Sql {
  if (operator === 'intersect') return joinSql([first, ...others], ' INTERSECT ');
  const all = joinSql(others, ' UNION ALL ');
  if (operator === 'except') return SQL`${first} EXCEPT ${others.length === 1 ? all : subquery(all)}`;
  if (operator === 'union' && others.length === 1) return SQL`${first} UNION ${all}`;
  const rows = SQL`${first} UNION ALL ${all}`;
  return operator === 'union-all' ? rows : SQL`SELECT DISTINCT * FROM (${rows})`;
}

function lowerSet(context: LoweringContext, plan: SetOperation, scope: Scope, options: RelationOptions): OrderedRelation {
  const isUnionAll = plan.operator === 'union-all';
  if (isUnionAll && options.isExplicit && options.keepsOrder) return unnested(context, plan, scope, options);
  const rowType = elementOf(plan.type);
  const layout = freshLayout(context, rowType);
  const operands = plan.operands.map((operand) => {
    const relation = lowerRelation(context, operand, scope, {
      keepsOrder: isUnionAll && options.keepsOrder,
      isExplicit: options.isExplicit,
    });
    return select({ items: partsFor(relation.layout, layout).map(aliased), from: subquery(relation.sql) });
  });
  const sql = combined(plan.operator, operands);
  if (isUnionAll || !options.keepsOrder) return unordered({ sql, layout });
  const { keys, added } = rowKeys(context, layout);
  const keyed = added.length === 0 ? sql : select({ takesAll: true, items: added.map(aliased), from: subquery(sql) });
  if (options.isExplicit) return { sql: keyed, layout, keys, position: null };
  return unordered({
    sql: select({ items: columnsOf(layout), from: subquery(keyed), orderBy: keys.map((by) => sortText(by.sql, by)) }),
    layout,
  });
}
