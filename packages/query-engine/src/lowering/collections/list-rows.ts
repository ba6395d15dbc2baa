import type { Plan, PlanSource, Select, VariableId } from '@svc/query-language';

import { isRepeatable } from '../../sql/inspect-sql.ts';
import { SQL, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';
import { letExpression } from '../scalars/let-expression.ts';
import type { Scope } from '../scope.ts';
import { bindLambda } from '../scope.ts';
import { partsOfElement, placed } from '../source-elements.ts';

/** Rows as the elements of a list, and the bindings of variables within `lambda <element>: …` over it. */
export interface ListRows {
  readonly list: Sql;
  readonly element: Sql;
  readonly bindings: readonly (readonly [VariableId, Sql])[];
  /** The scope around the lambda. */
  readonly scope: Scope;
}

/** The scope inside the lambda over the rows. */
export function insideRows(rows: ListRows): Scope {
  return bindLambda(rows.scope, rows.bindings);
}

/** The source of a Select over one collection, and its WHERE. */
export function lowerListRows(context: LoweringContext, plan: Select, scope: Scope): ListRows {
  const [source] = plan.sources;
  if (source === undefined) throw new Error('a SELECT has a source');
  const rows = elementsOf(context, source, scope);
  return plan.where === null ? rows : kept(context, rows, { source, condition: plan.where });
}

/** Returns the elements of one source; a NULL collection has none. */
function elementsOf(context: LoweringContext, source: PlanSource, scope: Scope): ListRows {
  const value = context.lowerValue(source.collection, scope);
  const list = source.collection.type.isNullable ? SQL`coalesce(${value}, [])` : value;
  const element = freshColumn(context, 'x');
  return { list: placed(context, source, list), element, bindings: partsOfElement(source, element), scope };
}

/** Filters the rows of a source by a condition. */
function kept(
  context: LoweringContext,
  rows: ListRows,
  { source, condition }: { readonly source: PlanSource; readonly condition: Plan },
): ListRows {
  const inside = insideRows(rows);
  const element = freshColumn(context, 'x');
  return {
    ...rows,
    list: SQL`list_filter(${rows.list}, lambda ${rows.element}: coalesce(${context.lowerValue(condition, inside)}, FALSE))`,
    element,
    bindings: partsOfElement(source, element),
  };
}

/** Binds the list of rows to a name, for repeated use. */
export function bindRows(rows: ListRows, body: (rows: ListRows) => Sql): Sql {
  return isRepeatable(rows.list) ? body(rows) : letExpression([rows.list], (list) => body({ ...rows, list }));
}
