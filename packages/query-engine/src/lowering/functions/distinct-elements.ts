import type { Type } from '@svc/query-language';

import { holdsInterval } from '../../analysis/holds-primitive.ts';
import { isFloating } from '../../analysis/number-types.ts';
import { duckType } from '../../representation/duck-type.ts';
import { comparable } from '../scalars/comparable.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { rowSortKey } from '../scalars/sort-key.ts';

/**
 * Order of elements: that of rows, records by each field with NULL first, or that of values, where NULL within a record is
 * the greatest.
 */
export type ElementOrder = 'rows' | 'values';

/**
 * Returns the distinct elements of a list in ascending order, NULL first. The engine's own function drops NULL and considers
 * two NaN different, except within a struct. A constant NULL loses its type when the engine sorts it, hence the casts.
 */
export function distinctElements(list: string, element: Type, order: ElementOrder): string {
  const type = duckType(element);
  const rowKey = (e: string): string | null => (order === 'rows' ? rowSortKey(e, element) : null);
  const isByFields = rowKey('e') !== null;
  if (holdsInterval(element)) return `CAST(${differentNeighbours(list, (e) => rowKey(e) ?? comparable(e, element))} AS ${type}[])`;
  if (!element.isNullable && !isFloating(element) && !isByFields) return `CAST(list_sort(list_distinct(${list})) AS ${type}[])`;
  const wrapped = `list_distinct(${transformList(list, (e) => `struct_pack(n := ${e} IS NOT NULL, v := ${e})`)})`;
  const sorted = isByFields
    ? `list_sort(${transformList(wrapped, (e) => `struct_pack(k := ${rowKey(`${e}.v`) ?? ''}, v := ${e}.v)`)})`
    : `CAST(list_sort(${wrapped}) AS STRUCT(n BOOLEAN, v ${type})[])`;
  return `CAST(${transformList(sorted, (e) => `${e}.v`)} AS ${type}[])`;
}

/** Returns the first of each run of equal elements, which the engine considers different and a sort by their keys makes adjacent. */
function differentNeighbours(list: string, key: (element: string) => string): string {
  const keyed = transformList(list, (e) => `struct_pack(n := ${e} IS NOT NULL, k := ${key(e)}, v := ${e})`);
  return letExpression([`list_sort(${keyed})`], (sorted) => {
    const pairs = `list_zip(${sorted}, list_concat([NULL], ${sorted}), true)`;
    const first = `list_filter(${pairs}, lambda pair: pair[2] IS NULL OR pair[1].k IS DISTINCT FROM pair[2].k)`;
    return `CASE WHEN ${sorted} IS NOT NULL THEN ${transformList(first, (pair) => `${pair}[1].v`)} END`;
  });
}
