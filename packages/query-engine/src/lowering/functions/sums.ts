import { duckType } from '../../representation/duck-type.ts';
import type { AggregateLowering, CallContext, LoweredArgument } from '../lowering-types.ts';
import { bindOnce, transformList } from '../scalars/bind-once.ts';
import { divideDecimals } from '../scalars/decimal-arithmetic.ts';
import { isDecimal } from '../scalars/number-types.ts';
import { first, inner, ofDistinctList, unordered } from './aggregate-forms.ts';

/** The sum in the type of the result, where it fits: of integers the engine makes 128 bits, of decimals it lets 39 digits pass. */
export function sumAs(call: Pick<CallContext, 'type' | 'castLine'>, sum: string): string {
  const exact = isDecimal(call.type) ? `CAST(${sum} AS VARCHAR)` : sum;
  return call.castLine(`CAST(${exact} AS ${duckType(call.type)})`);
}

/** The exact mean: the engine would give a double. */
export function decimalMean(sum: string, count: string, call: CallContext): string {
  return divideDecimals(
    { sql: sum, scale: 18 },
    { sql: `CAST(nullif(${count}, 0) AS DECIMAL(38,0))`, scale: 0 },
    { overflow: call.raise('decimal overflow', call.type), byZero: call.raise('/ by zero', call.type) },
  );
}

/** A sum that cannot overflow: of integers in 128 bits, of decimals what is before the point, what is behind it, and how many there are. */
export const SUM_PARTS: AggregateLowering = unordered(
  (args, rows, call) => {
    if (!isDecimal(call.type)) return `sum(${inner(args, rows)})${rows.suffix}`;
    if (rows.distinct !== '') return ofDistinctList(args, rows, decimalParts);
    const x = first(args);
    const sum = (sql: string): string => `sum(${sql})${rows.suffix}`;
    return `struct_pack(w := ${sum(`trunc(${x})`)}, f := ${sum(`${x} - trunc(${x})`)}, n := count(${x})${rows.suffix})`;
  },
  (list, _, call) => (isDecimal(call.type) ? decimalParts(list) : `list_aggregate(${list}, 'sum')`),
);

function decimalParts(list: string): string {
  const sum = (sql: (x: string) => string): string => `list_aggregate(${transformList(list, sql)}, 'sum')`;
  return `struct_pack(w := ${sum((x) => `trunc(${x})`)}, f := ${sum((x) => `${x} - trunc(${x})`)}, n := list_count(${list}))`;
}

/** SUM of its parts: it overflows here. */
export function sumOfParts([parts]: readonly LoweredArgument[], call: CallContext): string {
  const sql = parts?.sql ?? 'NULL';
  return isDecimal(call.type) ? bindOnce([sql], (p) => decimalOfParts(p, call)) : sumAs(call, sql);
}

/** AVG of decimals of the parts of their sum. */
export function meanOfParts([parts]: readonly LoweredArgument[], call: CallContext): string {
  return bindOnce([parts?.sql ?? 'NULL'], (p) => decimalMean(decimalOfParts(p, call), `${p}.n`, call));
}

/** More whole numbers than a decimal with 18 digits behind the point has. */
const TOO_LARGE = `CAST('1${'0'.repeat(20)}' AS DECIMAL(38,0))`;

/** Both parts are brought to one sign: then their sum fits if that before the point does. */
function decimalOfParts(parts: string, call: CallContext): string {
  const carried = `struct_pack(w := ${parts}.w + trunc(${parts}.f), f := ${parts}.f - trunc(${parts}.f))`;
  const borrow = (p: string): string => `CASE WHEN ${p}.w > 0 AND ${p}.f < 0 THEN 1 WHEN ${p}.w < 0 AND ${p}.f > 0 THEN -1 ELSE 0 END`;
  return bindOnce([carried], (p) =>
    bindOnce(
      [`struct_pack(w := ${p}.w - ${borrow(p)}, f := ${p}.f + ${borrow(p)})`],
      (q) =>
        `CASE WHEN abs(${q}.w) >= ${TOO_LARGE} THEN ${call.raise('decimal overflow', call.type)} ELSE CAST(${q}.w AS DECIMAL(38,18)) + ${q}.f END`,
    ),
  );
}
