import { isInteger } from '../../analysis/number-types.ts';
import { duckType } from '../../representation/duck-type.ts';
import { castTo, joinSql, NOTHING, NULL, SQL, verbatim, type Sql } from '../../sql/sql.ts';
import type { CallContext, FunctionLowering } from '../lowering-types.ts';
import { comparesAsMeant } from '../scalars/comparable.ts';
import { divisionByZero, remainderBy } from '../scalars/lower-arithmetic.ts';
import { extremeElement } from '../scalars/sort-key.ts';
import { byType, direct, guarded, typed, typeName } from './function-parts.ts';

const NAN = SQL`CAST('nan' AS DOUBLE)`;

/** A function of a double which the engine fails outside `domain`, where IEEE arithmetic has an answer. */
function within(domain: (x: Sql) => Sql, value: (x: Sql) => Sql, outside: (x: Sql) => Sql = () => NAN): FunctionLowering {
  return guarded((_, x) => SQL`CASE WHEN ${domain(x)} THEN ${value(x)} ELSE ${outside(x)} END`);
}

const logarithm = (name: string): FunctionLowering =>
  within(
    (x) => SQL`${x} > 0`,
    (x) => SQL`${verbatim(name)}(${x})`,
    (x) => SQL`CASE WHEN ${x} = 0 THEN CAST('-inf' AS DOUBLE) ELSE ${NAN} END`,
  );
const trigonometric = (name: string): FunctionLowering =>
  within(
    (x) => SQL`isfinite(${x})`,
    (x) => SQL`${verbatim(name)}(${x})`,
  );
const arc = (name: string): FunctionLowering =>
  within(
    (x) => SQL`${x} BETWEEN -1 AND 1`,
    (x) => SQL`${verbatim(name)}(${x})`,
  );

/** FLOOR and CEILING return a long, and fail out of its range. */
const toLong = (name: 'floor' | 'ceil'): FunctionLowering =>
  byType(0, (type) => ([x], call) => {
    const sql = x?.sql ?? NULL;
    return isInteger(type) ? castTo(sql, 'BIGINT') : call.castLine(castTo(SQL`${verbatim(name)}(${sql})`, 'BIGINT'));
  });

/** Both cut or round to a number of decimals; a negative one means tens, hundreds … */
function toDecimals(name: 'round' | 'trunc'): FunctionLowering {
  return (args, call) => {
    const [x, digits] = args;
    if (x === undefined || digits === undefined) throw new Error(`${call.functionName} needs a number and its digits.`);
    const engineType = duckType(call.type);
    if (isInteger(x.type))
      return guarded((_, n, d) =>
        call.castLine(
          castTo(
            SQL`CASE WHEN ${d} >= 0 THEN CAST(${n} AS HUGEINT) WHEN ${d} < -19 THEN CAST(0 AS HUGEINT) ELSE ${wholeTo(name, n, d)} END`,
            engineType,
          ),
        ),
      )(args, call);
    if (typeName(x.type) === 'decimal')
      return guarded((_, n, d) => {
        const value = typeof digits.constant === 'string' ? decimalTo(name, n, Number(digits.constant)) : decimalToAny(name, n, d);
        return name === 'trunc'
          ? value
          : SQL`CASE WHEN ${d} = -20 AND abs(${n}) >= 50000000000000000000 THEN ${call.raise('decimal overflow', call.type)} ELSE ${value} END`;
      })(args, call);
    const engineCall = (n: Sql, d: Sql): Sql => SQL`${verbatim(name)}(${n}, ${d})`;
    if (Number(digits.constant ?? -Infinity) >= (name === 'trunc' ? -308 : 0)) return castTo(engineCall(x.sql, digits.sql), engineType);
    // For tens and hundreds the engine rounds infinities and NaN to 0; beyond 308 digits it truncates nothing.
    return guarded((_, n, d) => {
      const value =
        name === 'trunc'
          ? SQL`CASE WHEN ${d} < -308 AND isfinite(${n}) THEN 0 ELSE ${engineCall(n, d)} END`
          : SQL`CASE WHEN isfinite(${n}) THEN ${engineCall(n, d)} ELSE ${n} END`;
      return castTo(value, engineType);
    })(args, call);
  };
}

/** By way of a decimal: the engine's own ROUND overflows silently at the ends of a type. */
function wholeTo(name: 'round' | 'trunc', n: Sql, digits: Sql): Sql {
  const unit = SQL`CAST(power(10, -${digits}) AS HUGEINT)`;
  const half = name === 'round' ? SQL` + sign(${n}) * (${unit} // 2)` : NOTHING;
  return SQL`((CAST(${n} AS HUGEINT)${half}) // ${unit}) * ${unit}`;
}

function decimalTo(name: 'round' | 'trunc', n: Sql, digits: number | Sql): Sql {
  return castTo(SQL`${verbatim(name)}(CAST(${n} AS DECIMAL(38,18)), ${digits})`, 'DECIMAL(38,18)');
}

/** The engine requires a constant number of digits: one branch for each that makes a difference. */
function decimalToAny(name: 'round' | 'trunc', n: Sql, digits: Sql): Sql {
  const branches = Array.from({ length: 39 }, (_, i) => SQL`WHEN ${i - 20} THEN ${decimalTo(name, n, i - 20)}`);
  return SQL`CASE greatest(least(${digits}, 18), -20) ${joinSql(branches, ' ')} END`;
}

const extreme = (name: 'greatest' | 'least'): FunctionLowering =>
  guarded(({ type }, ...values) =>
    comparesAsMeant(type) ? SQL`${verbatim(name)}(${joinSql(values)})` : extremeElement(SQL`[${joinSql(values)}]`, type, name),
  );

/** Corrects rounding errors of the engine's cube root of integer cubes. */
const cbrt = guarded(
  (_, x) => SQL`CASE WHEN abs(${x}) < 1e15 AND round(cbrt(${x})) ** 3 = ${x} THEN round(cbrt(${x})) ELSE cbrt(${x}) END`,
);

const modulo: FunctionLowering = ([x, y], call: CallContext) => {
  if (x === undefined || y === undefined) throw new Error('MOD needs two arguments.');
  const name = typeName(call.type);
  if (name === 'float' || name === 'double') return SQL`(${x.sql} % ${y.sql})`;
  const scaled = (sql: Sql): Sql => (name === 'decimal' ? castTo(sql, 'DECIMAL(38,18)') : sql);
  return divisionByZero([scaled(x.sql), scaled(y.sql)], call, remainderBy(name === 'decimal' ? undefined : y.constant));
};

/** Lowerings of numeric functions. Where the engine fails for a value defined by IEEE 754, they return it. */
export const MATH_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  ABS: typed((x) => SQL`abs(${x})`),
  SIGN: typed((x) => SQL`sign(${x})`),
  FLOOR: toLong('floor'),
  CEILING: toLong('ceil'),
  ROUND: toDecimals('round'),
  TRUNCATE: toDecimals('trunc'),
  SQRT: within(
    (x) => SQL`${x} >= 0`,
    (x) => SQL`sqrt(${x})`,
  ),
  CBRT: cbrt,
  SQUARE: guarded((_, x) => SQL`(${x} * ${x})`),
  POWER: direct((x, y) => SQL`power(${x}, ${y})`),
  EXP: direct((x) => SQL`exp(${x})`),
  LOG: logarithm('ln'),
  LN: logarithm('ln'),
  LOG10: logarithm('log10'),
  LOG2: logarithm('log2'),
  MOD: modulo,
  PI: () => SQL`pi()`,
  SIN: trigonometric('sin'),
  COS: trigonometric('cos'),
  TAN: trigonometric('tan'),
  COT: within(
    (x) => SQL`isfinite(${x}) AND ${x} <> 0`,
    (x) => SQL`cot(${x})`,
    (x) => SQL`CASE WHEN ${x} = 0 THEN CAST('inf' AS DOUBLE) ELSE ${NAN} END`,
  ),
  ASIN: arc('asin'),
  ACOS: arc('acos'),
  ATAN: direct((x) => SQL`atan(${x})`),
  ATAN2: direct((y, x) => SQL`atan2(${y}, ${x})`),
  DEGREES: direct((x) => SQL`degrees(${x})`),
  RADIANS: direct((x) => SQL`radians(${x})`),
  RANDOM: () => SQL`random()`,
  GREATEST: extreme('greatest'),
  LEAST: extreme('least'),
  IS_NAN: direct((x) => SQL`isnan(${x})`),
};
