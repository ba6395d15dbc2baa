import type { Select } from '@svc/query-language';
import { isCount } from '@svc/query-language';

import { constantOf } from '../../analysis/constant-of.ts';
import { castTo, NULL, numberLiteral, SQL, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { letExpression } from '../scalars/let-expression.ts';
import type { Scope } from '../scope.ts';
import { guardedBound } from '../select/bounds.ts';

/** Lowers OFFSET and LIMIT of a list to a slice; they may depend on the enclosing row. NULL is none, a negative one fails. */
export function boundedList(context: LoweringContext, plan: Select, scope: Scope, list: Sql): Sql {
  const [limit = null, offset = null] = [plan.limit, plan.offset].map((bound) =>
    bound === null || constantOf(bound) === null ? null : bound,
  );
  if (limit === null && offset === null) return list;
  const limitSql = limit === null ? castTo(NULL, 'BIGINT') : context.lowerValue(limit, scope);
  const offsetSql = offset === null ? numberLiteral(0) : context.lowerValue(offset, scope);
  return letExpression([list, limitSql, offsetSql], (l, n, o) => {
    const count = limit === null || isCount(limit) ? n : guardedBound(context, 'LIMIT', limit, n, scope);
    const given = offset === null || isCount(offset) ? o : guardedBound(context, 'OFFSET', offset, o, scope);
    const skip = offset === null ? o : SQL`least(${given}, len(${l}))`;
    return letExpression(
      [count, skip],
      (c, s) => SQL`list_slice(${l}, ${s} + 1, CASE WHEN ${c} < len(${l}) - ${s} THEN ${s} + ${c} ELSE len(${l}) END)`,
    );
  });
}
