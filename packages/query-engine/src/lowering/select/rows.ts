import type { Plan, SortKey } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import type { RowParts } from '../../analysis/correlation.ts';
import { holdsSubquery } from '../../analysis/relational-analysis.ts';
import { isSameSql, usesColumn } from '../../sql/inspect-sql.ts';
import { select, subquery } from '../../sql/select.ts';
import { aliased, SQL, type Column, type NamedSql, type Sql } from '../../sql/sql.ts';
import { lowerCondition } from '../conditions.ts';
import { correlatedColumns } from '../correlated-columns.ts';
import { behindFoldBarrier } from '../fold-barrier.ts';
import { createHoistedColumns, withHoistedColumns } from '../hoisted-columns.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';
import { byPosition, type SortColumn } from '../scalars/sort-key.ts';
import type { HoistedColumns, Scope } from '../scope.ts';
import { bindAll, inBranch, onRow } from '../scope.ts';
import { lowerOnRows, splitVectors } from './vector-splitting.ts';

/** Rows under construction: a relation with all columns, and the bindings of variables over it. */
export interface Rows {
  readonly from: Sql;
  /** The names of the columns of `from`. */
  readonly columns: ReadonlySet<string>;
  readonly scope: Scope;
  /** Columns of the order; without any, rows are in order physically, if they have one. */
  readonly keys: readonly SortColumn[];
  /** How `from` was built, if it adds inputs of calls to other rows. */
  readonly inputs?: InputColumns;
}

interface InputColumns {
  /** What `from` was then: that of rows derived from these is another. */
  readonly from: Sql;
  readonly below: Sql;
  readonly columns: readonly NamedSql[];
}

/** The clauses of a SELECT that remain once its rows, or groups, are lowered. */
export interface Tail {
  readonly rows: Rows;
  readonly item: Plan;
  readonly orderBy: readonly SortKey[];
}

/** Lowers an expression evaluated on each row; hoisted parts become columns. */
export function onRows<T>(context: LoweringContext, rows: Rows, lower: (scope: Scope) => T): { readonly rows: Rows; readonly result: T } {
  const hoisted = createHoistedColumns(context);
  const { result, makesLongValues } = lowerOnRows(context, () => lower(onRow(rows.scope, hoisted)));
  return { rows: preparedRows(context, rows, hoisted, makesLongValues), result };
}

/** Adds hoisted columns to rows, with vectors split if long values are made: again above subqueries, which the engine joins. */
function preparedRows(context: LoweringContext, rows: Rows, hoisted: HoistedColumns, makesLongValues: boolean): Rows {
  const split = (from: Sql): Sql => (makesLongValues ? splitVectors(context, from) : from);
  const from = withHoistedColumns(split(rows.from), hoisted);
  const isJoined = hoisted.columns.some(({ holdsSubquery }) => holdsSubquery === true);
  return { ...rows, from: isJoined ? split(from) : from, columns: columnsWith(rows, hoisted.columns) };
}

function columnsWith({ columns }: Rows, added: readonly { readonly name: Column }[]): ReadonlySet<string> {
  return added.length === 0 ? columns : new Set([...columns, ...added.map(({ name }) => name.name)]);
}

/** Returns the column of the rows that an expression is, or a new name for a column of others, and of outer columns. */
export function columnFor(context: LoweringContext, rows: Rows, sql: Sql, prefix: 'c' | 'k'): Column {
  return sql.kind === 'column' && rows.columns.has(sql.name) ? sql : freshColumn(context, prefix);
}

/** The rows with more columns; those that they have already are left out. */
export function withColumns(rows: Rows, columns: readonly NamedSql[]): Rows {
  const added = columns.filter(({ name, sql }) => !isSameSql(name, sql));
  if (added.length === 0) return rows;
  const from = subquery(select({ takesAll: true, items: added.map(aliased), from: rows.from }));
  return { ...rows, from, columns: columnsWith(rows, added) };
}

/**
 * The rows with an input of an aggregate or a window call. Inputs stand in one subselect, unless they use each other: the engine
 * takes quadratic time to plan hundreds of subselects in one another.
 */
export function withInput(rows: Rows, input: NamedSql): Rows {
  if (isSameSql(input.name, input.sql)) return rows;
  const before = inputsBeside(rows, input);
  const columns = [...before.columns, input];
  const from = subquery(select({ takesAll: true, items: columns.map(aliased), from: before.below }));
  return { ...rows, from, columns: columnsWith(rows, [input]), inputs: { from, below: before.below, columns } };
}

/** The inputs that were added to the rows last, if another one can stand beside them, and what they were added to. */
function inputsBeside({ from, inputs }: Rows, { sql }: NamedSql): Pick<InputColumns, 'below' | 'columns'> {
  if (inputs?.from !== from || usesColumn(sql, new Set(inputs.columns.map(({ name }) => name.name)))) return { below: from, columns: [] };
  return inputs;
}

/** Adds the columns of outer rows that these parts of a subquery use within lambdas; `outer` is the enclosing scope. */
export function withCorrelatedColumns(context: LoweringContext, rows: Rows, outer: Scope, parts: RowParts): Rows {
  const { columns, variables } = correlatedColumns(context, parts, outer.variables);
  return { ...withColumns(rows, columns), scope: bindAll(rows.scope, variables) };
}

/**
 * Filters rows by conditions, evaluated in order: hoisted columns of one are computed after those before it. The engine
 * pushes conditions below joins, where fallible ones would see rows that others exclude; it does not push a fallible one
 * through a subselect. So the first fallible one, and all after it, are applied around the rest.
 */
export function keepWhere(context: LoweringContext, rows: Rows, conditions: readonly Plan[], isFiltered = false): Rows {
  let kept = rows;
  let pending: LoweredCondition[] = [];
  const firstFailing = conditions.findIndex(isFallible);
  const close = (): void => {
    if (pending.length > 0) kept = { ...kept, from: subquery(select({ takesAll: true, from: kept.from, where: inOrder(pending) })) };
    pending = [];
  };
  for (const [i, condition] of conditions.entries()) {
    const hoisted = createHoistedColumns(context);
    const scope = onRow(rows.scope, hoisted);
    const isFailingQuery = isFallible(condition) && holdsSubquery(condition, scope);
    const isBehind = i > 0 || isFiltered;
    const at = isBehind && !isFailingQuery ? inBranch(scope) : scope;
    const { result: sql, makesLongValues } = lowerOnRows(context, () => lowerCondition(context, condition, at));
    // The engine pushes a condition over values of subqueries only down to those, where no earlier condition protects it.
    const asked = isFailingQuery && isBehind ? behindFoldBarrier(sql, scope) : sql;
    if (hoisted.columns.length > 0 || isFailingQuery || makesLongValues || i === firstFailing) close();
    kept = preparedRows(context, kept, hoisted, makesLongValues);
    pending.push({ sql: asked, isFallible: isFallible(condition) });
    // A join of the engine, unless it stands in a CASE.
    if (isFailingQuery) close();
  }
  close();
  return kept;
}

interface LoweredCondition {
  readonly sql: Sql;
  readonly isFallible: boolean;
}

/** Of several fallible conditions the engine may evaluate a later one first: within a CASE it does not. */
function inOrder(conditions: readonly LoweredCondition[]): readonly Sql[] {
  const fallible = conditions.filter((condition) => condition.isFallible).map(({ sql }) => sql);
  if (fallible.length < 2) return conditions.map(({ sql }) => sql);
  const nested = fallible.reduceRight((rest, sql) => SQL`CASE WHEN ${sql} THEN ${rest} END`);
  return [...conditions.filter((condition) => !condition.isFallible).map(({ sql }) => sql), nested];
}

/** Rows with their place as the key of their order. */
export function numberRows(context: LoweringContext, rows: Rows): Rows {
  const key = freshColumn(context, 'k');
  return { ...withColumns(rows, [{ name: key, sql: SQL`row_number() OVER ()` }]), keys: [byPosition(key)] };
}
