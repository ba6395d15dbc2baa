import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { rowSortKey } from '../relation.ts';
import { transformList } from '../scalars/bind-once.ts';

/**
 * The different elements of a list in ascending order, NULL first, records in the order of their fields. The engine's own function
 * drops NULL and takes two NaN for different, but not within a struct. A constant NULL loses its type when the engine sorts it: hence
 * the casts.
 */
export function distinctElements(list: string, element: Type): string {
  const type = duckType(element);
  const isByFields = element.kind === 'RecordType' && element.fields.some((field) => field.type.isNullable);
  if (!element.isNullable && !isFloating(element) && !isByFields) return `CAST(list_sort(list_distinct(${list})) AS ${type}[])`;
  const wrapped = `list_distinct(${transformList(list, (e) => `struct_pack(n := ${e} IS NOT NULL, v := ${e})`)})`;
  const sorted = isByFields
    ? `list_sort(${transformList(wrapped, (e) => `struct_pack(k := ${rowSortKey(`${e}.v`, element) ?? ''}, v := ${e}.v)`)})`
    : `CAST(list_sort(${wrapped}) AS STRUCT(n BOOLEAN, v ${type})[])`;
  return `CAST(${transformList(sorted, (e) => `${e}.v`)} AS ${type}[])`;
}

function isFloating(type: Type): boolean {
  return type.kind === 'PrimitiveType' && (type.name === 'double' || type.name === 'float');
}
