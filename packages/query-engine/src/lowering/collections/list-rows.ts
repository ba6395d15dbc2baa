import type { Plan, PlanSource, Select, VariableId } from '@svc/query-language';
import { isAsof } from '@svc/query-language';

import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { lowerValue } from '../lower-value.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { bindOnce, isRepeatable } from '../scalars/bind-once.ts';
import type { Scope } from '../scope.ts';
import { bindLambda, isWithinRow } from '../scope.ts';
import { partsOfElement, placed } from '../source-elements.ts';

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
export function lowerListRows(context: LoweringContext, plan: Select, outer: Scope): ListRows {
  const [first, ...rest] = plan.sources;
  if (first === undefined) throw new Error('a SELECT has a source');
  // The lists of RIGHT and FULL JOIN stand in lambdas over each other.
  const isWithin = rest.some(({ join }) => join === 'right' || join === 'full');
  const scope: Scope = isWithin ? { ...outer, lambda: outer.lambda ?? new Set() } : outer;
  const rows = rest.reduce((rows, source) => joined(context, rows, source), elementsOf(context, first, scope));
  return plan.where === null ? rows : kept(context, rows, plan.where);
}

/** The elements of one source. NULL counts as none. */
function elementsOf(context: LoweringContext, source: PlanSource, scope: Scope): ListRows {
  const value = lowerValue(context, source.collection, { ...scope, isInListOfRow: isWithinRow(scope) });
  const list = source.collection.type.isNullable ? `coalesce(${value}, [])` : value;
  const element = freshName(context, 'x');
  return { list: placed(context, source, list), element, bindings: partsOfElement(source, element), scope };
}

/** The rows for which a condition holds. */
function kept(context: LoweringContext, rows: ListRows, condition: Plan): ListRows {
  const inside = insideRows(rows);
  const element = freshName(context, 'x');
  return {
    ...rows,
    list: `list_filter(${rows.list}, lambda ${rows.element}: coalesce(${lowerValue(context, condition, inside)}, FALSE))`,
    element,
    bindings: rows.bindings.map(([id, at]) => [id, at.replace(rows.element, element)]),
  };
}

/** Each row with each element of the next source that goes with it; a row of both is a struct with one member for each variable. */
function joined(context: LoweringContext, rows: ListRows, source: PlanSource): ListRows {
  if (isAsof(source))
    throw new LoweringUnsupported('ASOF JOIN cannot stand in what is made for each element of a collection', source.collection.span);
  if (source.join === 'full')
    return joinedTo(rows, elementsOf(context, source, rows.scope), (left, right) => ({
      list: bindOnce([left.list, right.list], (l, r) => {
        const [lefts, rights] = [
          { ...left, list: l },
          { ...right, list: r },
        ];
        return `list_concat(${forEachLeft(context, lefts, rights, source).list}, ${forEachRight(context, lefts, rights, source, 'alone').list})`;
      }),
    }));
  if (source.join === 'right')
    return joinedTo(rows, elementsOf(context, source, rows.scope), (left, right) => ({
      list: bindOnce([left.list], (l) => forEachRight(context, { ...left, list: l }, right, source).list),
    }));
  const right = elementsOf(context, source, insideRows(rows));
  return joinedTo(rows, right, (left) => forEachLeft(context, left, right, source));
}

/** What a join gives: the struct of both sides, under the names of `pack`. */
interface Pairs {
  readonly list: string;
}

/** The rows of a join, whose list `pair` makes, as rows of their own. */
function joinedTo(
  rows: ListRows,
  right: ListRows,
  pair: (left: ListRows, right: ListRows) => Pairs,
  element = `${right.element}b`,
): ListRows {
  const ids = [...rows.bindings, ...right.bindings].map(([id]) => id);
  const bindings = ids.map((id, i): readonly [VariableId, string] => [id, `${element}.r${i}`]);
  return { list: pair(rows, right).list, element, bindings, scope: rows.scope };
}

/** One row of both sides, as a struct. */
function pack(left: ListRows, right: ListRows): string {
  return `struct_pack(${[...left.bindings, ...right.bindings].map(([, sql], i) => `r${i} := ${sql}`).join(', ')})`;
}

/** Each row with the elements on the right that go with it; in a left or full join with NULL where none does. */
function forEachLeft(context: LoweringContext, left: ListRows, right: ListRows, source: PlanSource): Pairs {
  const inside = { ...right, scope: insideRows(left) };
  const matching = source.on === null ? inside : kept(context, inside, source.on);
  const isOuter = source.join === 'left' || source.join === 'full';
  const list = isOuter ? bindOnce([matching.list], (l) => `CASE WHEN len(${l}) > 0 THEN ${l} ELSE [NULL] END`) : matching.list;
  const pairs = `list_transform(${list}, lambda ${matching.element}: ${pack(left, matching)})`;
  return { list: `flatten(list_transform(${left.list}, lambda ${left.element}: ${pairs}))` };
}

/** Each element on the right with the rows that go with it, or NULL where none does: those alone, if so wanted. */
function forEachRight(
  context: LoweringContext,
  left: ListRows,
  right: ListRows,
  source: PlanSource,
  wanted: 'all' | 'alone' = 'all',
): Pairs {
  const inside = { ...left, scope: insideRows(right) };
  if (source.on === null) throw new Error('RIGHT and FULL JOIN have a condition');
  const matching = kept(context, inside, source.on);
  const list = bindOnce(
    [matching.list],
    (l) => `CASE WHEN len(${l}) > 0 THEN ${wanted === 'all' ? l : `list_slice(${l}, 1, 0)`} ELSE [NULL] END`,
  );
  const pairs = `list_transform(${list}, lambda ${matching.element}: ${pack(matching, right)})`;
  return { list: `flatten(list_transform(${right.list}, lambda ${right.element}: ${pairs}))` };
}

/** The list of the rows bound to a name, where it is used more than once. */
export function bindRows(rows: ListRows, body: (rows: ListRows) => string): string {
  return isRepeatable(rows.list) ? body(rows) : bindOnce([rows.list], (list) => body({ ...rows, list }));
}
