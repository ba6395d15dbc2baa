import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { rowSortKey } from '../relation.ts';
import { bindOnce, transformList } from '../scalars/bind-once.ts';
import { comparable, holdsInterval } from '../scalars/comparable.ts';

/**
 * The different elements of a list in ascending order, NULL first, records in the order of their fields. The engine's own function
 * drops NULL and takes two NaN for different, but not within a struct. A constant NULL loses its type when the engine sorts it: hence
 * the casts.
 */
export function distinctElements(list: string, element: Type): string {
  const type = duckType(element);
  if (holdsInterval(element)) return `CAST(${differentNeighbours(list, element)} AS ${type}[])`;
  const isByFields = element.kind === 'RecordType' && element.fields.some((field) => field.type.isNullable);
  if (!element.isNullable && !isFloating(element) && !isByFields) return `CAST(list_sort(list_distinct(${list})) AS ${type}[])`;
  const wrapped = `list_distinct(${transformList(list, (e) => `struct_pack(n := ${e} IS NOT NULL, v := ${e})`)})`;
  const sorted = isByFields
    ? `list_sort(${transformList(wrapped, (e) => `struct_pack(k := ${rowSortKey(`${e}.v`, element) ?? ''}, v := ${e}.v)`)})`
    : `CAST(list_sort(${wrapped}) AS STRUCT(n BOOLEAN, v ${type})[])`;
  return `CAST(${transformList(sorted, (e) => `${e}.v`)} AS ${type}[])`;
}

/** Of equal elements that the engine takes for different, and that a sort by what is compared puts beside each other, the first. */
function differentNeighbours(list: string, element: Type): string {
  const compared = transformList(list, (e) => `struct_pack(c := ${comparable(e, element)}, v := ${e})`);
  const keyed = transformList(
    compared,
    (e) => `struct_pack(n := ${e}.c IS NOT NULL, k := ${rowSortKey(`${e}.c`, element) ?? `${e}.c`}, v := ${e}.v)`,
  );
  return bindOnce([`list_sort(${keyed})`], (sorted) => {
    const pairs = `list_zip(${sorted}, list_concat([NULL], ${sorted}), true)`;
    const first = `list_filter(${pairs}, lambda pair: pair[2] IS NULL OR pair[1].k IS DISTINCT FROM pair[2].k)`;
    return `CASE WHEN ${sorted} IS NOT NULL THEN ${transformList(first, (pair) => `${pair}[1].v`)} END`;
  });
}

function isFloating(type: Type): boolean {
  return type.kind === 'PrimitiveType' && (type.name === 'double' || type.name === 'float');
}
