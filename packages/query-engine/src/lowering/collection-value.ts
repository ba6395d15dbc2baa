import type { Plan, Select, SetOperation } from '@svc/query-language';

import { dependsOnLambda, dependsOnRow } from '../analysis/correlation.ts';
import { isRelational, isRows, needsSubquery } from '../analysis/relational-analysis.ts';
import { isVolatileIn } from '../analysis/volatility.ts';
import { boundedList } from './collections/bounded-list.ts';
import { listForm } from './collections/list-form.ts';
import { identityPredicate } from './identity-predicate.ts';
import { lowerRelation } from './lower-relation.ts';
import type { LoweringContext } from './lowering-context.ts';
import { freshName } from './lowering-context.ts';
import { checkLimit } from './plan-limits.ts';
import { rowValue, type OrderedRelation } from './relation.ts';
import { sortKeyValue } from './scalars/sort-key.ts';
import type { Scope } from './scope.ts';
import { lowerSelect } from './select/lower-select.ts';

/**
 * Lowers a collection, or the value of an aggregate query, computed from rows: a query over one collection to list
 * functions, any other to a subquery, which the engine decorrelates. A subquery in a lambda is computed beside the row.
 */
export function collectionValue(context: LoweringContext, plan: Plan, scope: Scope): string {
  if (isQuery(plan) && (!needsSubquery(plan, scope.variables) || scope.isInTry || dependsOnLambda(plan, scope)))
    return listForm(context, plan, scope);
  return scope.lambda === null ? subqueryValue(context, plan, scope) : valueBesideRow(context, plan, scope);
}

/** Hoists a collection to a column beside the row, where the engine allows no subquery. */
function valueBesideRow(context: LoweringContext, plan: Plan, scope: Scope): string {
  const value = subqueryValue(context, plan, { ...scope, lambda: null, isInTry: false, isInElement: false, isInBranch: false });
  return scope.hoisted.add(value, { isVolatile: isVolatileIn(plan, scope), holdsSubquery: true });
}

function isQuery(plan: Plan): plan is Select | SetOperation {
  return plan.kind === 'Select' || plan.kind === 'SetOperation';
}

function subqueryValue(context: LoweringContext, plan: Plan, scope: Scope): string {
  if (plan.kind === 'Select' && plan.isSingle) return singleValue(context, plan, scope);
  if (plan.kind === 'Read' && !isRows(plan.type)) return valueRead(context, plan);
  const isExplicit = dependsOnRow(plan, scope);
  if (plan.kind === 'SetOperation' && plan.operator === 'union-all' && isExplicit) return listForm(context, plan, scope);
  if (isExplicit && plan.kind === 'Select' && (plan.limit !== null || plan.offset !== null)) {
    return boundedList(context, plan, scope, subqueryValue(context, { ...plan, limit: null, offset: null }, scope));
  }
  countSubquery(context, plan);
  return listOf(context, lowerRelation(context, plan, scope, { keepsOrder: true, isExplicit }), identityPredicate(context, plan, scope));
}

function countSubquery(context: LoweringContext, { span }: Plan): void {
  context.subqueries += 1;
  checkLimit('subqueries', context.subqueries, span);
}

/** Lowers a Read that is not a collection: the single row of its relation. */
function valueRead(context: LoweringContext, plan: Plan & { readonly kind: 'Read' }): string {
  const { sql, layout } = context.environment.reader(plan.key);
  return `(SELECT ${rowValue(layout)} FROM (${sql}))`;
}

/** Aggregates all rows of a relation to a list, in its order. */
function listOf(context: LoweringContext, relation: OrderedRelation, where: string): string {
  const [key, element] = [freshName(context, 'n'), freshName(context, 'x')];
  const sortKey = relation.keys.length === 0 ? 'row_number() OVER ()' : sortKeyValue(relation.keys);
  const rows = `(SELECT ${sortKey} AS ${key}, ${rowValue(relation.layout)} AS ${element} FROM (${relation.sql})${where})`;
  const sorted = freshName(context, 'x');
  return `coalesce((SELECT list_transform(list_sort(list(struct_pack(k := ${key}, v := ${element}))), lambda ${sorted}: ${sorted}.v) FROM ${rows}), [])`;
}

/** The one value of an aggregate query. */
function singleValue(context: LoweringContext, plan: Select, scope: Scope): string {
  countSubquery(context, plan);
  const relation = lowerSelect(context, plan, scope, {
    keepsOrder: false,
    isExplicit: dependsOnRow(plan, scope),
  });
  return `(SELECT ${rowValue(relation.layout)} FROM (${relation.sql})${identityPredicate(context, plan, scope)})`;
}

/** A collection as a relation of one column, for IN and EXISTS: in any order. */
export function collectionRelation(context: LoweringContext, plan: Plan, scope: Scope): string {
  countSubquery(context, plan);
  const relation = lowerRelation(context, plan, scope, {
    keepsOrder: false,
    isExplicit: isRelational(plan, scope.variables) && dependsOnRow(plan, scope),
  });
  return `SELECT ${rowValue(relation.layout)} FROM (${relation.sql})${identityPredicate(context, plan, scope)}`;
}
