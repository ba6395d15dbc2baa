import type { Plan } from '@svc/query-language';

import { canFail } from '../can-fail.ts';
import { lowerCondition } from '../conditions.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { inOpaqueCase } from '../opaque-case.ts';
import { holdsSubquery } from '../plan-form.ts';
import { outerColumns, type RowParts } from '../outer-columns.ts';
import { columnNameOf } from '../relation.ts';
import { byPosition, type SortColumn } from '../scalars/sort-key.ts';
import type { Scope } from '../scope.ts';
import { bindAll, createPrelude, inBranch } from '../scope.ts';
import { lowerOnRows, preparedRows } from './few-rows.ts';

/** Rows under construction: a FROM text with all columns, and the bindings of variables over it. */
export interface Rows {
  readonly from: string;
  readonly scope: Scope;
  /** Columns of the order; without any, rows are in order physically, if they have one. */
  readonly keys: readonly SortColumn[];
}

/** Lowers an expression evaluated on each row; hoisted parts become columns. */
export function onRows<T>(context: LoweringContext, rows: Rows, lower: (scope: Scope) => T): { readonly rows: Rows; readonly result: T } {
  const prelude = createPrelude(context);
  const { result, made } = lowerOnRows(context, () => lower({ ...rows.scope, prelude, lambda: null, isInTry: false, isInElement: false }));
  return { rows: { ...rows, from: preparedRows(context, rows.from, prelude, made) }, result };
}

/** Returns the column of the rows that an expression is; null for other expressions, and for outer columns. */
export function columnOfRows(rows: Rows, sql: string): string | null {
  const name = columnNameOf(sql);
  return name !== null && new RegExp(` AS "?${name}\\b`).test(rows.from) ? name : null;
}

/** The rows with more columns. */
export function withColumns(rows: Rows, columns: readonly { readonly name: string; readonly sql: string }[]): Rows {
  if (columns.length === 0) return rows;
  return { ...rows, from: `(SELECT *, ${columns.map(({ name, sql }) => `${sql} AS ${name}`).join(', ')} FROM ${rows.from})` };
}

/** Adds the columns of outer rows that these parts of a subquery use within lambdas; `outer` is the enclosing scope. */
export function besideOuter(context: LoweringContext, rows: Rows, outer: Scope, parts: RowParts): Rows {
  const { columns, variables } = outerColumns(context, parts, outer.variables);
  return { ...withColumns(rows, columns), scope: bindAll(rows.scope, variables) };
}

/** The operands of an AND, flat. */
export function conjuncts(condition: Plan): readonly Plan[] {
  return condition.kind === 'Logical' && condition.operator === 'and' ? condition.operands.flatMap(conjuncts) : [condition];
}

/**
 * Filters rows by conditions, evaluated in order: hoisted columns of one are computed after those before it. The engine
 * pushes conditions below joins, where fallible ones would see rows that others exclude; it does not push a fallible one
 * through a subselect. So the first fallible one, and all after it, are applied around the rest.
 */
export function keepWhere(context: LoweringContext, rows: Rows, conditions: readonly Plan[], isFiltered = false): Rows {
  let { from } = rows;
  let pending: string[] = [];
  const firstFailing = conditions.findIndex(canFail);
  const close = (): void => {
    if (pending.length > 0) from = `(SELECT * FROM ${from} WHERE ${pending.join(' AND ')})`;
    pending = [];
  };
  for (const [i, condition] of conditions.entries()) {
    const prelude = createPrelude(context);
    const scope: Scope = { ...rows.scope, prelude, lambda: null, isInTry: false, isInElement: false };
    const isFailingQuery = canFail(condition) && holdsSubquery(condition, scope);
    const isBehind = i > 0 || isFiltered;
    const at = isBehind && !isFailingQuery ? inBranch(scope) : scope;
    const { result: sql, made } = lowerOnRows(context, () => lowerCondition(context, condition, at));
    // The engine pushes a condition over values of subqueries only down to those, where no earlier condition protects it.
    const asked = isFailingQuery && isBehind ? inOpaqueCase(sql, scope) : sql;
    if (prelude.columns.length > 0 || isFailingQuery || made > 0 || i === firstFailing) close();
    from = preparedRows(context, from, prelude, made);
    pending.push(asked);
  }
  close();
  return { ...rows, from };
}

/** WHERE. */
export function filterRows(context: LoweringContext, rows: Rows, where: Plan | null): Rows {
  return where === null ? rows : keepWhere(context, rows, conjuncts(where));
}

/** Rows with their place as the key of their order. */
export function numberRows(context: LoweringContext, rows: Rows): Rows {
  const key = freshName(context, 'k');
  return { ...withColumns(rows, [{ name: key, sql: 'row_number() OVER ()' }]), keys: [byPosition(key)] };
}
