import type { Plan, Select, SetOperation } from '@svc/query-language';

import { dependsOnLambda, dependsOnRow } from '../analysis/correlation.ts';
import { isRelational, isRows, needsSubquery } from '../analysis/relational-analysis.ts';
import { isVolatile } from '../analysis/volatility.ts';
import { select, subquery } from '../sql/select.ts';
import { aliased, SQL, type Sql } from '../sql/sql.ts';
import { boundedList } from './collections/bounded-list.ts';
import { listForm } from './collections/list-form.ts';
import { identityPredicate } from './identity-predicate.ts';
import type { LoweringContext, OrderedRelation } from './lowering-context.ts';
import { freshColumn } from './lowering-context.ts';
import { checkLimit } from './plan-limits.ts';
import { projected, rowValue } from './relation.ts';
import { sortKeyValue } from './scalars/sort-key.ts';
import { onRow, type Scope } from './scope.ts';
import { lowerSelect } from './select/lower-select.ts';
import { visiblyFallible } from './visible-failure.ts';

/**
 * Lowers a collection, or the value of an aggregate query, computed from rows: a query over one collection to list
 * functions, any other to a subquery, which the engine decorrelates. A subquery in a lambda is computed beside the row.
 */
export function collectionValue(context: LoweringContext, plan: Plan, scope: Scope): Sql {
  if (isQuery(plan) && (!needsSubquery(plan, scope.variables) || scope.isInTry || dependsOnLambda(plan, scope)))
    return visiblyFallible(plan, listForm(context, plan, scope), scope);
  return scope.lambda === null ? subqueryValue(context, plan, scope) : valueBesideRow(context, plan, scope);
}

/** Hoists a collection to a column beside the row, where the engine allows no subquery. */
function valueBesideRow(context: LoweringContext, plan: Plan, scope: Scope): Sql {
  const value = subqueryValue(context, plan, { ...onRow(scope, scope.hoisted), isInBranch: false });
  return scope.hoisted.add(value, { isVolatile: isVolatile(plan), holdsSubquery: true });
}

function isQuery(plan: Plan): plan is Select | SetOperation {
  return plan.kind === 'Select' || plan.kind === 'SetOperation';
}

function subqueryValue(context: LoweringContext, plan: Plan, scope: Scope): Sql {
  if (plan.kind === 'Select' && plan.isSingle) return singleValue(context, plan, scope);
  if (plan.kind === 'Read' && !isRows(plan.type)) return valueRead(context, plan);
  const isExplicit = dependsOnRow(plan, scope);
  if (plan.kind === 'SetOperation' && plan.operator === 'union-all' && isExplicit)
    return visiblyFallible(plan, listForm(context, plan, scope), scope);
  if (isExplicit && plan.kind === 'Select' && (plan.limit !== null || plan.offset !== null)) {
    return boundedList(context, plan, scope, subqueryValue(context, { ...plan, limit: null, offset: null }, scope));
  }
  countSubquery(context, plan);
  return listOf(context, context.lowerRelation(plan, scope, { keepsOrder: true, isExplicit }), identityPredicate(context, plan, scope));
}

function countSubquery(context: LoweringContext, { span }: Plan): void {
  context.subqueries += 1;
  checkLimit('subqueries', context.subqueries, span);
}

/** Lowers a Read that is not a collection: the single row of its relation. */
function valueRead(context: LoweringContext, plan: Plan & { readonly kind: 'Read' }): Sql {
  const { sql, layout } = projected(context.environment.reader(plan.key), plan.type, plan.usedByMember);
  return subquery(select({ items: [rowValue(layout)], from: subquery(sql) }));
}

/** Aggregates all rows of a relation to a list, in its order. */
function listOf(context: LoweringContext, relation: OrderedRelation, where: readonly Sql[]): Sql {
  const [key, element] = [freshColumn(context, 'n'), freshColumn(context, 'x')];
  const sortKey = relation.keys.length === 0 ? SQL`row_number() OVER ()` : sortKeyValue(relation.keys);
  const items = [
    { name: key, sql: sortKey },
    { name: element, sql: rowValue(relation.layout) },
  ];
  const rows = subquery(select({ items: items.map(aliased), from: subquery(relation.sql), where }));
  const sorted = freshColumn(context, 'x');
  const list = SQL`list_transform(list_sort(list(struct_pack(k := ${key}, v := ${element}))), lambda ${sorted}: ${sorted}.v)`;
  return SQL`coalesce(${subquery(select({ items: [list], from: rows }))}, [])`;
}

/** The one value of an aggregate query. */
function singleValue(context: LoweringContext, plan: Select, scope: Scope): Sql {
  countSubquery(context, plan);
  const relation = lowerSelect(context, plan, scope, {
    keepsOrder: false,
    isExplicit: dependsOnRow(plan, scope),
  });
  return subquery(valueOf(relation, identityPredicate(context, plan, scope)));
}

/** A collection as a relation of one column, for IN and EXISTS: in any order. */
export function collectionRelation(context: LoweringContext, plan: Plan, scope: Scope): Sql {
  countSubquery(context, plan);
  const relation = context.lowerRelation(plan, scope, {
    keepsOrder: false,
    isExplicit: isRelational(plan, scope.variables) && dependsOnRow(plan, scope),
  });
  return valueOf(relation, identityPredicate(context, plan, scope));
}

function valueOf({ sql, layout }: OrderedRelation, where: readonly Sql[]): Sql {
  return select({ items: [rowValue(layout)], from: subquery(sql), where });
}
