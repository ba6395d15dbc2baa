import type { Plan, PlanSource, Select, VariableId } from '@svc/query-language';

import { canFail } from '../can-fail.ts';
import { lowerCondition } from '../conditions.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { lowerValue } from '../lower-value.ts';
import { bindOnce, isRepeatable } from '../scalars/bind-once.ts';
import type { Scope } from '../scope.ts';
import { bindLambda } from '../scope.ts';

/** Rows as the elements of a list: what variables stand for inside `lambda <element>: …` over it. */
export interface ListRows {
  readonly list: string;
  readonly element: string;
  readonly bindings: readonly (readonly [VariableId, string])[];
  /** The scope around the lambda. */
  readonly scope: Scope;
}

/** The scope inside the lambda over the rows. */
export function insideRows(rows: ListRows): Scope {
  return bindLambda(rows.scope, rows.bindings);
}

/** The sources of a Select and its WHERE, over collections. */
export function lowerListRows(context: LoweringContext, plan: Select, scope: Scope): ListRows {
  const [first, ...rest] = plan.sources;
  if (first === undefined) throw new Error('a SELECT has a source');
  const rows = rest.reduce((rows, source) => joined(context, rows, source), elementsOf(context, first, scope));
  return plan.where === null ? rows : kept(context, rows, plan.where);
}

/** The elements of one source. NULL counts as none. */
function elementsOf(context: LoweringContext, source: PlanSource, scope: Scope): ListRows {
  const value = lowerValue(context, source.collection, scope);
  const list = source.collection.type.isNullable ? `coalesce(${value}, [])` : value;
  const element = freshName(context, 'x');
  if (source.position === null) return { list, element, bindings: [[source.row, element]], scope };
  const [one, index] = [freshName(context, 'x'), freshName(context, 'i')];
  const placed = `list_transform(${list}, lambda ${one}, ${index}: struct_pack(p := ${one}, i := ${index} - 1))`;
  return {
    list: placed,
    element,
    bindings: [
      [source.row, `${element}.p`],
      [source.position, `${element}.i`],
    ],
    scope,
  };
}

/** The rows for which a condition holds. */
function kept(context: LoweringContext, rows: ListRows, condition: Plan): ListRows {
  const inside = insideRows(rows);
  const sql = canFail(condition) ? lowerValue(context, condition, inside) : lowerCondition(context, condition, inside);
  const element = freshName(context, 'x');
  return {
    ...rows,
    list: `list_filter(${rows.list}, lambda ${rows.element}: coalesce(${sql}, FALSE))`,
    element,
    bindings: rows.bindings.map(([id, at]) => [id, at.replace(rows.element, element)]),
  };
}

/** Each row with each element of the next source that goes with it; a row of both is a struct with one member for each variable. */
function joined(context: LoweringContext, rows: ListRows, source: PlanSource): ListRows {
  const inside = insideRows(rows);
  const right = elementsOf(context, source, inside);
  const matching = source.on === null ? right : kept(context, right, source.on);
  const names = [...rows.bindings, ...matching.bindings].map(([id], i) => ({ id, name: `r${i}` }));
  const pack = (element: string): string => {
    const values = [...rows.bindings.map(([, sql]) => sql), ...matching.bindings.map(([, sql]) => sql.replace(matching.element, element))];
    return `struct_pack(${names.map(({ name }, i) => `${name} := ${values[i] ?? 'NULL'}`).join(', ')})`;
  };
  const list =
    source.join === 'left' ? bindOnce([matching.list], (l) => `CASE WHEN len(${l}) > 0 THEN ${l} ELSE [NULL] END`) : matching.list;
  const both = `flatten(list_transform(${rows.list}, lambda ${rows.element}: list_transform(${list}, lambda ${matching.element}: ${pack(matching.element)})))`;
  const element = freshName(context, 'x');
  return { list: both, element, bindings: names.map(({ id, name }) => [id, `${element}.${name}`]), scope: rows.scope };
}

/** The list of the rows bound to a name, where it is used more than once. */
export function bindRows(rows: ListRows, body: (rows: ListRows) => string): string {
  return isRepeatable(rows.list) ? body(rows) : bindOnce([rows.list], (list) => body({ ...rows, list }));
}
