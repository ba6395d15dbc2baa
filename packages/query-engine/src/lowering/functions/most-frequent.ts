import type { Type } from '@svc/query-language';
import { isFloating } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, memberOf, SQL, type Sql } from '../../sql/sql.ts';
import { comparable } from '../scalars/comparable.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { withoutNull } from './function-parts.ts';

/** Returns the least of the most frequent values, which are `counted`: the engine's own function returns the one that it met first. */
export function mostFrequent(histogram: Sql, type: Type): Sql {
  const value = (key: Sql): Sql => (isFloating(type) ? SQL`list_extract(${key}, 1)` : key);
  return leastOfMost(histogram, value, duckType(type));
}

/** Returns the key by which a value is counted. The engine confuses counts of numbers that may be NaN, but not within a list. */
export function counted(value: Sql, type: Type): Sql {
  return isFloating(type) ? SQL`CASE WHEN ${value} IS NOT NULL THEN [${value}] END` : value;
}

/** The same for a list of values with intervals, which are counted by their comparison key. */
export function mostFrequentInterval(list: Sql, type: Type): Sql {
  const key = (e: Sql): Sql => SQL`create_sort_key(${comparable(e, type)}, 'ASC NULLS FIRST')`;
  return letExpression([SQL`list_sort(${withoutNull(list)})`], (values) =>
    letExpression(
      [leastOfMost(SQL`list_aggregate(${transformList(values, key)}, 'histogram')`, (found) => found, 'BLOB')],
      (wanted) => SQL`list_extract(list_filter(${values}, lambda e: ${key(SQL`e`)} = ${wanted}), 1)`,
    ),
  );
}

/** The cast is for constant folding, in which a sorted NULL has no type. */
function leastOfMost(histogram: Sql, value: (key: Sql) => Sql, engineType: string): Sql {
  const counts = transformList(
    SQL`map_entries(${histogram})`,
    (e) => SQL`struct_pack(n := -CAST(${memberOf(e, 'value')} AS BIGINT), v := ${value(memberOf(e, 'key'))})`,
  );
  const sorted = castTo(SQL`list_sort(${counts})`, `STRUCT(n BIGINT, v ${engineType})[]`);
  return SQL`struct_extract(list_extract(${sorted}, 1), 'v')`;
}
