import type { Constant } from '@svc/query-language';

import { letExpression } from './let-expression.ts';

/** Returns an element of a list by index from 0; the engine counts from 1 and takes negative indexes from the end. */
export function elementAt(list: string, index: string, constant: Constant['value'] | undefined): string {
  if (typeof constant === 'string')
    return Number(constant) < 0 || Number(constant) >= Number.MAX_SAFE_INTEGER
      ? `CASE WHEN FALSE THEN list_extract(${list}, 1) END`
      : `list_extract(${list}, ${Number(constant) + 1})`;
  return letExpression([list, index], (l, i) => `CASE WHEN ${i} >= 0 AND ${i} < 4611686018427387904 THEN list_extract(${l}, ${i} + 1) END`);
}
