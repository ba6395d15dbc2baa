import { isDecimal } from '../../analysis/number-types.ts';
import { duckType } from '../../representation/duck-type.ts';
import { castTo, SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import type { CallContext } from '../lowering-types.ts';
import { divideDecimals } from '../scalars/decimal-arithmetic.ts';
import { letExpression } from '../scalars/let-expression.ts';

/** The greatest decimal of the common scale. */
const MOST = castTo(textLiteral(`${'9'.repeat(20)}.${'9'.repeat(18)}`), 'DECIMAL(38,18)');

/**
 * Converts a sum to the type of the result, checking the range: for integers the engine computes 128 bits, for decimals it
 * accepts 39 digits.
 */
export function sumAs(call: Pick<CallContext, 'type' | 'castLine' | 'raise'>, sum: Sql): Sql {
  if (!isDecimal(call.type)) return call.castLine(castTo(sum, duckType(call.type)));
  return letExpression([sum], (s) => SQL`CASE WHEN abs(${s}) > ${MOST} THEN ${call.raise('decimal overflow', call.type)} ELSE ${s} END`);
}

/** Returns the exact mean; the engine's would be a double. */
export function decimalMean(sum: Sql, count: Sql, call: CallContext): Sql {
  return divideDecimals(
    { sql: sum, scale: 18 },
    { sql: SQL`CAST(nullif(${count}, 0) AS DECIMAL(38,0))`, scale: 0 },
    { overflow: call.raise('decimal overflow', call.type), byZero: call.raise('/ by zero', call.type) },
  );
}
