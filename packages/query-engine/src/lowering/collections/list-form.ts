import type { Plan, Select, SetOperation } from '@svc/query-language';

import { holdsInterval } from '../../analysis/holds-primitive.ts';
import { isOverOneCollection } from '../../analysis/relational-analysis.ts';
import { joinSql, memberOf, NOTHING, NULL, SQL, type Sql } from '../../sql/sql.ts';
import { distinctElements } from '../functions/distinct-elements.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { elementOf } from '../relation.ts';
import { comparable } from '../scalars/comparable.ts';
import { letExpression } from '../scalars/let-expression.ts';
import { limitedValue } from '../scalars/limited-value.ts';
import type { Scope } from '../scope.ts';
import { limitedContext } from '../value-limits.ts';
import { boundedList } from './bounded-list.ts';
import { singleOfList } from './list-aggregates.ts';
import { sortedList } from './list-order.ts';
import { insideRows, lowerListRows, type ListRows } from './list-rows.ts';

/**
 * Lowers a query over one collection, or a set operation, to list functions, which are allowed in lambdas and far cheaper
 * than a subquery for short collections.
 */
export function listForm(context: LoweringContext, plan: Select | SetOperation, scope: Scope): Sql {
  if (plan.kind === 'SetOperation') return listOfSets(context, plan, scope);
  if (!isOverOneCollection(plan)) throw new LoweringUnsupported(NO_LIST_FORM, plan.span);
  const rows = lowerListRows(context, plan, scope);
  if (plan.isSingle) return singleOfList(context, plan, rows);
  return boundedList(context, plan, scope, finished(context, plan, rows));
}

const NO_LIST_FORM =
  'a query that joins, groups or has windows cannot use what REDUCE, or ON of an outer join, binds: compute its rows in a SELECT before, and choose from them here';

/** Items, DISTINCT and ORDER BY. */
function finished(context: LoweringContext, { isDistinct, item, orderBy, itemVariable }: Select, rows: ListRows): Sql {
  if (isDistinct) {
    const distinct = distinctElements(mapped(context, rows, item), item.type, 'rows');
    if (orderBy.length === 0) return distinct;
    const element = freshColumn(context, 'x');
    return sortedList(context, { list: distinct, bindings: [[itemVariable, element]], element, scope: rows.scope }, orderBy, {
      kind: 'Variable',
      type: item.type,
      span: item.span,
      id: itemVariable,
    });
  }
  if (orderBy.length > 0) return sortedList(context, rows, orderBy, item, itemVariable);
  return mapped(context, rows, item);
}

function mapped(context: LoweringContext, rows: ListRows, item: Plan): Sql {
  const body = context.lowerValue(item, insideRows(rows));
  return body === rows.element ? rows.list : SQL`list_transform(${rows.list}, lambda ${rows.element}: ${body})`;
}

/** Lowers set operations on lists. Elements are wrapped for comparison, since the engine's functions drop NULL. */
function listOfSets(context: LoweringContext, plan: SetOperation, scope: Scope): Sql {
  const operands = plan.operands.map((operand) => context.lowerValue(operand, scope));
  const element = elementOf(plan.type);
  if (plan.operator === 'union-all') {
    const lists = operands.map((sql, i) => ({ sql, type: plan.operands[i]?.type ?? plan.type }));
    return limitedValue(limitedContext(context, plan, 'the collection', scope), lists, (names) => SQL`list_concat(${joinSql(names)})`);
  }
  if (plan.operator === 'union') return distinctElements(SQL`list_concat(${joinSql(operands)})`, element, 'rows');
  const name = freshColumn(context, 'x');
  const wrap = (list: Sql, as: (element: Sql) => Sql): Sql =>
    SQL`list_transform(${list}, lambda ${name}: struct_pack(n := ${name} IS NOT NULL, v := ${as(name)}))`;
  const [first = NULL, ...rest] = operands;
  const candidate = freshColumn(context, 'x');
  const wanted = holdsInterval(element)
    ? SQL`struct_pack(n := ${memberOf(candidate, 'n')}, v := ${comparable(memberOf(candidate, 'v'), element)})`
    : candidate;
  const isKept = (other: Sql): Sql => SQL`${plan.operator === 'except' ? SQL`NOT ` : NOTHING}list_contains(${other}, ${wanted})`;
  const left = letExpression(
    [wrap(first, (sql) => sql), ...rest.map((right) => wrap(right, (sql) => comparable(sql, element)))],
    (list, ...others) => SQL`list_filter(${list}, lambda ${candidate}: ${joinSql(others.map(isKept), ' AND ')})`,
  );
  const unwrapped = freshColumn(context, 'x');
  return distinctElements(SQL`list_transform(${left}, lambda ${unwrapped}: ${memberOf(unwrapped, 'v')})`, element, 'rows');
}
