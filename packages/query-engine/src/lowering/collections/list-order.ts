import type { SortKey, Type, VariableId, Plan } from '@svc/query-language';

import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { lowerValue } from '../lower-value.ts';
import { rowSortKey, sortKeyValue } from '../relation.ts';
import { bindLambda } from '../scope.ts';
import { usesAny } from '../variables.ts';
import { insideRows, type ListRows } from './list-rows.ts';

/** The different elements in ascending order, NULL first. The engine's own function drops NULL. */
export function distinctList(context: LoweringContext, list: string, element: Type): string {
  if (rowSortKey('x', element) !== null) return distinctRows(context, list, element);
  // The engine takes two NaN for different, but not within a struct.
  if (!element.isNullable && !isFloating(element)) return `list_sort(list_distinct(${list}))`;
  const [one, other] = [freshName(context, 'x'), freshName(context, 'x')];
  return `list_transform(list_sort(list_distinct(list_transform(${list}, lambda ${one}: struct_pack(n := ${one} IS NOT NULL, v := ${one})))), lambda ${other}: ${other}.v)`;
}

function isFloating(type: Type): boolean {
  return type.kind === 'PrimitiveType' && (type.name === 'double' || type.name === 'float');
}

/** The same of records, in the order of their fields. */
function distinctRows(context: LoweringContext, list: string, element: Type): string {
  const [one, other, sorted] = [freshName(context, 'x'), freshName(context, 'x'), freshName(context, 'x')];
  const wrapped = `list_distinct(list_transform(${list}, lambda ${one}: struct_pack(n := ${one} IS NOT NULL, v := ${one})))`;
  const key = rowSortKey(`${other}.v`, element) ?? `${other}.v`;
  return `list_transform(list_sort(list_transform(${wrapped}, lambda ${other}: struct_pack(k := ${key}, v := ${other}.v))), lambda ${sorted}: ${sorted}.v)`;
}

/** Decorates, sorts, undecorates: by the engine's sort key, then by position, so that ties keep their order. */
export function sortedList(
  context: LoweringContext,
  rows: ListRows,
  orderBy: readonly SortKey[],
  item: Plan,
  itemVariable: VariableId | null = null,
): string {
  const [index, made, sorted] = [freshName(context, 'i'), freshName(context, 'x'), freshName(context, 'x')];
  const inside = insideRows(rows);
  const value = lowerValue(context, item, inside);
  const usesItem = itemVariable !== null && orderBy.some((key) => usesAny(key.value, new Set([itemVariable])));
  const scope = usesItem ? bindLambda(inside, [[itemVariable, made]]) : inside;
  const key = sortKeyValue(orderBy.map(({ value: by, ...direction }) => ({ ...direction, sql: lowerValue(context, by, scope) })));
  const decorated = usesItem
    ? `list_extract(list_transform([${value}], lambda ${made}: struct_pack(k := ${key}, i := ${index}, v := ${made})), 1)`
    : `struct_pack(k := ${key}, i := ${index}, v := ${value})`;
  return `list_transform(list_sort(list_transform(${rows.list}, lambda ${rows.element}, ${index}: ${decorated})), lambda ${sorted}: ${sorted}.v)`;
}
