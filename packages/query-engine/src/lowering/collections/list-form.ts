import type { Plan, Select, SetOperation } from '@svc/query-language';

import { holdsInterval } from '../../analysis/holds-primitive.ts';
import { isOverOneCollection } from '../../analysis/relational-analysis.ts';
import { distinctElements } from '../functions/distinct-elements.ts';
import { lowerValue } from '../lower-value.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { elementOf } from '../relation.ts';
import { comparable } from '../scalars/comparable.ts';
import { letExpression } from '../scalars/let-expression.ts';
import type { Scope } from '../scope.ts';
import { bounded } from '../sizes/bounded-value.ts';
import { boundedList } from './bounded-list.ts';
import { singleOfList } from './list-aggregates.ts';
import { sortedList } from './list-order.ts';
import { insideRows, lowerListRows, type ListRows } from './list-rows.ts';

/**
 * Lowers a query over one collection, or a set operation, to list functions, which are allowed in lambdas and far cheaper
 * than a subquery for short collections.
 */
export function listForm(context: LoweringContext, plan: Select | SetOperation, scope: Scope): string {
  if (plan.kind === 'SetOperation') return listOfSets(context, plan, scope);
  if (!isOverOneCollection(plan)) throw new LoweringUnsupported(NO_LIST_FORM, plan.span);
  const rows = lowerListRows(context, plan, scope);
  if (plan.isSingle) return singleOfList(context, plan, rows);
  return boundedList(context, plan, scope, finished(context, plan, rows));
}

const NO_LIST_FORM =
  'a query that joins, groups or has windows cannot use what REDUCE, or ON of an outer join, binds: compute its rows in a SELECT before, and choose from them here';

/** Items, DISTINCT and ORDER BY. */
function finished(context: LoweringContext, { isDistinct, item, orderBy, itemVariable }: Select, rows: ListRows): string {
  if (isDistinct) {
    const distinct = distinctElements(mapped(context, rows, item), item.type, 'rows');
    if (orderBy.length === 0) return distinct;
    const element = freshName(context, 'x');
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

function mapped(context: LoweringContext, rows: ListRows, item: Plan): string {
  const body = lowerValue(context, item, insideRows(rows));
  return body === rows.element ? rows.list : `list_transform(${rows.list}, lambda ${rows.element}: ${body})`;
}

/** Lowers set operations on lists. Elements are wrapped for comparison, since the engine's functions drop NULL. */
function listOfSets(context: LoweringContext, plan: SetOperation, scope: Scope): string {
  const operands = plan.operands.map((operand) => lowerValue(context, operand, scope));
  const element = elementOf(plan.type);
  if (plan.operator === 'union-all') {
    const lists = operands.map((sql, i) => ({ sql, type: plan.operands[i]?.type ?? plan.type }));
    return bounded(context, { plan, name: 'the collection', scope }, lists, (names) => `list_concat(${names.join(', ')})`);
  }
  if (plan.operator === 'union') return distinctElements(`list_concat(${operands.join(', ')})`, element, 'rows');
  const name = freshName(context, 'x');
  const wrap = (list: string, as: (element: string) => string): string =>
    `list_transform(${list}, lambda ${name}: struct_pack(n := ${name} IS NOT NULL, v := ${as(name)}))`;
  const [first = '', ...rest] = operands;
  const candidate = freshName(context, 'x');
  const wanted = holdsInterval(element) ? `struct_pack(n := ${candidate}.n, v := ${comparable(`${candidate}.v`, element)})` : candidate;
  const isKept = (other: string): string => `${plan.operator === 'except' ? 'NOT ' : ''}list_contains(${other}, ${wanted})`;
  const left = letExpression(
    [wrap(first, (sql) => sql), ...rest.map((right) => wrap(right, (sql) => comparable(sql, element)))],
    (list, ...others) => `list_filter(${list}, lambda ${candidate}: ${others.map(isKept).join(' AND ')})`,
  );
  const unwrapped = freshName(context, 'x');
  return distinctElements(`list_transform(${left}, lambda ${unwrapped}: ${unwrapped}.v)`, element, 'rows');
}
