import type { Plan, SortKey, VariableId } from '@svc/query-language';

import { usesAny } from '../../analysis/variables.ts';
import { memberOf, SQL, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';
import { sortable } from '../scalars/comparable.ts';
import { sortKeyValue } from '../scalars/sort-key.ts';
import { bindLambda } from '../scope.ts';
import { insideRows, type ListRows } from './list-rows.ts';

/** Decorate, sort, undecorate: by the engine's sort key, then by position, so that the sort is stable. */
export function sortedList(
  context: LoweringContext,
  rows: ListRows,
  orderBy: readonly SortKey[],
  item: Plan,
  itemVariable: VariableId | null = null,
): Sql {
  const [index, made, sorted] = [freshColumn(context, 'i'), freshColumn(context, 'x'), freshColumn(context, 'x')];
  const inside = insideRows(rows);
  const value = context.lowerValue(item, inside);
  const usesItem = itemVariable !== null && orderBy.some((key) => usesAny(key.value, new Set([itemVariable])));
  const scope = usesItem ? bindLambda(inside, [[itemVariable, made]]) : inside;
  const key = sortKeyValue(
    orderBy.map(({ value: by, ...direction }) => ({ ...direction, sql: sortable(context.lowerValue(by, scope), by.type) })),
  );
  const decorated = usesItem
    ? SQL`list_extract(list_transform([${value}], lambda ${made}: struct_pack(k := ${key}, i := ${index}, v := ${made})), 1)`
    : SQL`struct_pack(k := ${key}, i := ${index}, v := ${value})`;
  return SQL`list_transform(list_sort(list_transform(${rows.list}, lambda ${rows.element}, ${index}: ${decorated})), lambda ${sorted}: ${memberOf(sorted, 'v')})`;
}
