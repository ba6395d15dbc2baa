import type { Type } from '@svc/query-language';

import { holdsInterval } from '../../analysis/holds-primitive.ts';
import { joinSql, memberOf, SQL, textLiteral, verbatim, type Sql } from '../../sql/sql.ts';
import type { SortDirection } from '../lowering-types.ts';
import { comparable, sortable } from './comparable.ts';
import { transformList } from './let-expression.ts';
import { memberParts } from '../../representation/relation-layout.ts';

/** A column by which rows are sorted. */
export interface SortColumn extends SortDirection {
  readonly sql: Sql;
  /** Ascending numbers that are never NULL. */
  readonly isPosition?: true;
}

/** Ascending, NULL first. */
export function ascending(sql: Sql): SortColumn {
  return { sql, isDescending: false, areNullsFirst: true };
}

/** Sorts by a column of positions. */
export function byPosition(sql: Sql): SortColumn {
  return { ...ascending(sql), isPosition: true };
}

/**
 * Returns the sort key of rows: a record by each of its fields, NULL first, as if they were keys, so that DISTINCT orders
 * like GROUP BY over the same expressions. Null if the value itself (`sortable`) has that order.
 */
export function rowSortKey(value: Sql, type: Type): Sql | null {
  if (type.kind !== 'RecordType' || !type.fields.some((field) => field.type.isNullable)) return null;
  const fields = memberParts(value, type.fields).map(({ field, expression }) => ascending(sortable(expression, field.type)));
  return sortKeyValue([...(type.isNullable ? [ascending(SQL`(${value} IS NOT NULL)`)] : []), ...fields]);
}

/** Prints `ASC` or `DESC` with an explicit position of NULL. */
export function sortText(sql: Sql, key: SortDirection): Sql {
  return SQL`${sql} ${verbatim(directionText(key))}`;
}

/** Returns the engine's sort key: one value whose ascending order is that of all columns. A single position is used directly. */
export function sortKeyValue(keys: readonly SortColumn[]): Sql {
  const [first] = keys;
  if (first === undefined) throw new Error('there is nothing to sort by');
  if (keys.length === 1 && first.isPosition === true) return first.sql;
  return SQL`create_sort_key(${joinSql(keys.map((key) => SQL`${key.sql}, ${textLiteral(directionText(key))}`))})`;
}

/** A list in the order of its elements, which intervals have by their lengths. */
export function sortedBy(list: Sql, element: Type, order: SortDirection): Sql {
  if (!holdsInterval(element))
    return SQL`list_sort(${list}, ${textLiteral(order.isDescending ? 'DESC' : 'ASC')}, ${textLiteral(`NULLS ${nulls(order)}`)})`;
  const key = (e: Sql): Sql => sortKeyValue([{ ...order, sql: comparable(e, element) }]);
  const keyed = SQL`list_sort(${transformList(list, (e) => SQL`struct_pack(k := ${key(e)}, v := ${e})`)})`;
  return transformList(keyed, (e) => memberOf(e, 'v'));
}

/** Returns the least or the greatest element of a list that is not NULL, for types that contain intervals. */
export function extremeElement(list: Sql, element: Type, name: 'least' | 'greatest'): Sql {
  return SQL`list_extract(${sortedBy(list, element, { isDescending: name === 'greatest', areNullsFirst: false })}, 1)`;
}

function directionText(key: SortDirection): string {
  return `${key.isDescending ? 'DESC' : 'ASC'} NULLS ${nulls(key)}`;
}

function nulls(key: SortDirection): 'FIRST' | 'LAST' {
  return key.areNullsFirst ? 'FIRST' : 'LAST';
}
