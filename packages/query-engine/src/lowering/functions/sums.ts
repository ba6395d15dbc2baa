import { isDecimal } from '../../analysis/number-types.ts';
import { duckType } from '../../representation/duck-type.ts';
import type { CallContext } from '../lowering-types.ts';
import { divideDecimals } from '../scalars/decimal-arithmetic.ts';

/**
 * Converts a sum to the type of the result, checking the range: for integers the engine computes 128 bits, for decimals it
 * accepts 39 digits.
 */
export function sumAs(call: Pick<CallContext, 'type' | 'castLine'>, sum: string): string {
  const exact = isDecimal(call.type) ? `CAST(${sum} AS VARCHAR)` : sum;
  return call.castLine(`CAST(${exact} AS ${duckType(call.type)})`);
}

/** Returns the exact mean; the engine's would be a double. */
export function decimalMean(sum: string, count: string, call: CallContext): string {
  return divideDecimals(
    { sql: sum, scale: 18 },
    { sql: `CAST(nullif(${count}, 0) AS DECIMAL(38,0))`, scale: 0 },
    { overflow: call.raise('decimal overflow', call.type), byZero: call.raise('/ by zero', call.type) },
  );
}
