import type { Type } from '@svc/query-language';

import { isFloating } from '../../analysis/number-types.ts';
import { duckType } from '../../representation/duck-type.ts';
import { comparable } from '../scalars/comparable.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { withoutNull } from './function-parts.ts';

/** Returns the least of the most frequent values, which are `counted`: the engine's own function returns the one that it met first. */
export function mostFrequent(histogram: string, type: Type): string {
  const value = (key: string): string => (isFloating(type) ? `list_extract(${key}, 1)` : key);
  return leastOfMost(histogram, value, duckType(type));
}

/** Returns the key by which a value is counted. The engine confuses counts of numbers that may be NaN, but not within a list. */
export function counted(value: string, type: Type): string {
  return isFloating(type) ? `CASE WHEN ${value} IS NOT NULL THEN [${value}] END` : value;
}

/** The same for a list of values with intervals, which are counted by their comparison key. */
export function mostFrequentInterval(list: string, type: Type): string {
  const key = (e: string): string => `create_sort_key(${comparable(e, type)}, 'ASC NULLS FIRST')`;
  return letExpression([`list_sort(${withoutNull(list)})`], (values) =>
    letExpression(
      [leastOfMost(`list_aggregate(${transformList(values, key)}, 'histogram')`, (found) => found, 'BLOB')],
      (wanted) => `list_extract(list_filter(${values}, lambda e: ${key('e')} = ${wanted}), 1)`,
    ),
  );
}

/** The cast is for constant folding, in which a sorted NULL has no type. */
function leastOfMost(histogram: string, value: (key: string) => string, type: string): string {
  const counts = transformList(
    `map_entries(${histogram})`,
    (e) => `struct_pack(n := -CAST(${e}.value AS BIGINT), v := ${value(`${e}.key`)})`,
  );
  return `struct_extract(list_extract(CAST(list_sort(${counts}) AS STRUCT(n BIGINT, v ${type})[]), 1), 'v')`;
}
