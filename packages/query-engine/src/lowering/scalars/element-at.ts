import type { Constant } from '@svc/query-language';

import { SQL, type Sql } from '../../sql/sql.ts';
import { letExpression } from './let-expression.ts';

/** Returns an element of a list by index from 0; the engine counts from 1 and takes negative indexes from the end. */
export function elementAt(list: Sql, index: Sql, constant: Constant['value'] | undefined): Sql {
  if (typeof constant === 'string')
    return Number(constant) < 0 || Number(constant) >= Number.MAX_SAFE_INTEGER
      ? SQL`CASE WHEN FALSE THEN list_extract(${list}, 1) END`
      : SQL`list_extract(${list}, ${Number(constant) + 1})`;
  return letExpression(
    [list, index],
    (l, i) => SQL`CASE WHEN ${i} >= 0 AND ${i} < 4611686018427387904 THEN list_extract(${l}, ${i} + 1) END`,
  );
}
