import type { Type } from '@svc/query-language';
import { isFloating } from '@svc/query-language';

import { holdsInterval } from '../../analysis/holds-primitive.ts';
import { duckType } from '../../representation/duck-type.ts';
import { castTo, memberOf, NULL, SQL, type Sql } from '../../sql/sql.ts';
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
export function distinctElements(list: Sql, element: Type, order: ElementOrder): Sql {
  const listType = `${duckType(element)}[]`;
  const rowKey = (e: Sql): Sql | null => (order === 'rows' ? rowSortKey(e, element) : null);
  const isByFields = rowKey(NULL) !== null;
  if (holdsInterval(element))
    return castTo(
      differentNeighbours(list, (e) => rowKey(e) ?? comparable(e, element)),
      listType,
    );
  if (!element.isNullable && !isFloating(element) && !isByFields) return castTo(SQL`list_sort(list_distinct(${list}))`, listType);
  const wrapped = SQL`list_distinct(${transformList(list, (e) => SQL`struct_pack(n := ${e} IS NOT NULL, v := ${e})`)})`;
  const sorted = isByFields
    ? SQL`list_sort(${transformList(wrapped, (e) => SQL`struct_pack(k := ${rowKey(memberOf(e, 'v')) ?? NULL}, v := ${memberOf(e, 'v')})`)})`
    : castTo(SQL`list_sort(${wrapped})`, `STRUCT(n BOOLEAN, v ${duckType(element)})[]`);
  return castTo(
    transformList(sorted, (e) => memberOf(e, 'v')),
    listType,
  );
}

/** Returns the first of each run of equal elements, which the engine considers different and a sort by their keys makes adjacent. */
function differentNeighbours(list: Sql, key: (element: Sql) => Sql): Sql {
  const keyed = transformList(list, (e) => SQL`struct_pack(n := ${e} IS NOT NULL, k := ${key(e)}, v := ${e})`);
  return letExpression([SQL`list_sort(${keyed})`], (sorted) => {
    const pairs = SQL`list_zip(${sorted}, list_concat([NULL], ${sorted}), true)`;
    const first = SQL`list_filter(${pairs}, lambda pair: pair[2] IS NULL OR pair[1].k IS DISTINCT FROM pair[2].k)`;
    return SQL`CASE WHEN ${sorted} IS NOT NULL THEN ${transformList(first, (pair) => SQL`${pair}[1].v`)} END`;
  });
}
