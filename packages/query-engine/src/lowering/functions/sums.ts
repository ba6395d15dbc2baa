import { isDecimal } from '../../analysis/number-types.ts';
import { duckType } from '../../representation/duck-type.ts';
import { castTo, SQL, type Sql } from '../../sql/sql.ts';
import type { CallContext } from '../lowering-types.ts';
import { divideDecimals } from '../scalars/decimal-arithmetic.ts';

/**
 * Converts a sum to the type of the result, checking the range: for integers the engine computes 128 bits, for decimals it
 * accepts 39 digits.
 */
export function sumAs(call: Pick<CallContext, 'type' | 'castLine'>, sum: Sql): Sql {
  const exact = isDecimal(call.type) ? castTo(sum, 'VARCHAR') : sum;
  return call.castLine(castTo(exact, duckType(call.type)));
}

/** Returns the exact mean; the engine's would be a double. */
export function decimalMean(sum: Sql, count: Sql, call: CallContext): Sql {
  return divideDecimals(
    { sql: sum, scale: 18 },
    { sql: SQL`CAST(nullif(${count}, 0) AS DECIMAL(38,0))`, scale: 0 },
    { overflow: call.raise('decimal overflow', call.type), byZero: call.raise('/ by zero', call.type) },
  );
}
