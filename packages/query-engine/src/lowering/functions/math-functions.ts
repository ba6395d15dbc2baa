import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import type { CallContext, FunctionLowering } from '../lowering-types.ts';
import { divisionByZero, remainder } from '../scalars/lower-arithmetic.ts';
import { byType, direct, guarded, typed, typeName } from './function-parts.ts';

const NAN = `CAST('nan' AS DOUBLE)`;

/** A function of a double which the engine fails outside `domain`, where IEEE arithmetic has an answer. */
function within(domain: (x: string) => string, value: (x: string) => string, outside: (x: string) => string = () => NAN): FunctionLowering {
  return guarded((_, x) => `CASE WHEN ${domain(x)} THEN ${value(x)} ELSE ${outside(x)} END`);
}

const logarithm = (name: string): FunctionLowering =>
  within(
    (x) => `${x} > 0`,
    (x) => `${name}(${x})`,
    (x) => `CASE WHEN ${x} = 0 THEN CAST('-inf' AS DOUBLE) ELSE ${NAN} END`,
  );
const trigonometric = (name: string): FunctionLowering =>
  within(
    (x) => `isfinite(${x})`,
    (x) => `${name}(${x})`,
  );
const arc = (name: string): FunctionLowering =>
  within(
    (x) => `${x} BETWEEN -1 AND 1`,
    (x) => `${name}(${x})`,
  );

const isWhole = (type: Type): boolean => ['byte', 'short', 'int', 'long'].includes(typeName(type));

/** FLOOR and CEILING give a long, and fail where there is none. */
const toLong = (name: 'floor' | 'ceil'): FunctionLowering =>
  byType(0, (type) => ([x], call) => {
    const sql = x?.sql ?? 'NULL';
    return isWhole(type) ? `CAST(${sql} AS BIGINT)` : call.castLine(`CAST(${name}(${sql}) AS BIGINT)`);
  });

/** Both cut or round to a number of decimals; a negative one means tens, hundreds … */
function toDecimals(name: 'round' | 'trunc'): FunctionLowering {
  return (args, call) => {
    const [x, digits] = args;
    if (x === undefined) throw new Error(`${call.functionName} needs an argument.`);
    const engineType = duckType(call.type);
    if (digits === undefined || digits.constant === '0') return isWhole(x.type) ? x.sql : `CAST(${name}(${x.sql}) AS ${engineType})`;
    if (isWhole(x.type))
      return guarded((_, n, d) =>
        call.castLine(
          `CAST(CASE WHEN ${d} >= 0 THEN CAST(${n} AS HUGEINT) WHEN ${d} < -19 THEN CAST(0 AS HUGEINT) ELSE ${wholeTo(name, n, d)} END AS ${engineType})`,
        ),
      )(args, call);
    if (typeName(x.type) === 'decimal')
      return guarded((_, n, d) => decimalTo(name, n, d, typeof digits.constant === 'string' ? Number(digits.constant) : null))(args, call);
    return `CAST(${name}(${x.sql}, ${digits.sql}) AS ${engineType})`;
  };
}

/** By way of a decimal: the engine's own ROUND wraps around at the ends of a type. */
function wholeTo(name: 'round' | 'trunc', n: string, digits: string): string {
  const unit = `CAST(power(10, -${digits}) AS HUGEINT)`;
  const half = name === 'round' ? ` + sign(${n}) * (${unit} // 2)` : '';
  return `((CAST(${n} AS HUGEINT)${half}) // ${unit}) * ${unit}`;
}

/** The engine wants a constant number of digits: one branch for each there can be. */
function decimalTo(name: 'round' | 'trunc', n: string, digits: string, constant: number | null): string {
  const branch = (d: number): string =>
    d >= 18 ? n : d < -19 ? '0' : `CAST(${name}(CAST(${n} AS DECIMAL(38,18)), ${d}) AS DECIMAL(38,18))`;
  if (constant !== null) return `CAST(${branch(constant)} AS DECIMAL(38,18))`;
  const branches = Array.from({ length: 37 }, (_, i) => `WHEN ${i - 19} THEN ${branch(i - 19)}`);
  return `CASE WHEN ${digits} >= 18 THEN CAST(${n} AS DECIMAL(38,18)) WHEN ${digits} < -19 THEN CAST(0 AS DECIMAL(38,18)) ELSE CASE ${digits} ${branches.join(' ')} END END`;
}

const extreme = (name: 'greatest' | 'least'): FunctionLowering => guarded((_, ...values) => `${name}(${values.join(', ')})`);

/** Rounding errors of the engine's cube root of whole cubes are taken back. */
const cbrt = guarded((_, x) => `CASE WHEN abs(${x}) < 1e15 AND round(cbrt(${x})) ** 3 = ${x} THEN round(cbrt(${x})) ELSE cbrt(${x}) END`);

const modulo: FunctionLowering = ([x, y], call: CallContext) => {
  if (x === undefined || y === undefined) throw new Error('MOD needs two arguments.');
  const name = typeName(call.type);
  if (name === 'float' || name === 'double') return `(${x.sql} % ${y.sql})`;
  const scaled = (sql: string): string => (name === 'decimal' ? `CAST(${sql} AS DECIMAL(38,18))` : sql);
  return divisionByZero([scaled(x.sql), scaled(y.sql)], call, remainder);
};

/** Numbers. Where IEEE 754 has a value that the engine refuses to give, the value. */
export const MATH_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  ABS: typed((x) => `abs(${x})`),
  SIGN: typed((x) => `sign(${x})`),
  FLOOR: toLong('floor'),
  CEILING: toLong('ceil'),
  ROUND: toDecimals('round'),
  TRUNCATE: toDecimals('trunc'),
  SQRT: within(
    (x) => `${x} >= 0`,
    (x) => `sqrt(${x})`,
  ),
  CBRT: cbrt,
  SQUARE: guarded((_, x) => `(${x} * ${x})`),
  POWER: direct((x, y) => `power(${x}, ${y})`),
  EXP: direct((x) => `exp(${x})`),
  LOG: logarithm('ln'),
  LN: logarithm('ln'),
  LOG10: logarithm('log10'),
  LOG2: logarithm('log2'),
  MOD: modulo,
  PI: () => 'pi()',
  SIN: trigonometric('sin'),
  COS: trigonometric('cos'),
  TAN: trigonometric('tan'),
  COT: within(
    (x) => `isfinite(${x}) AND ${x} <> 0`,
    (x) => `cot(${x})`,
    (x) => `CASE WHEN ${x} = 0 THEN CAST('inf' AS DOUBLE) ELSE ${NAN} END`,
  ),
  ASIN: arc('asin'),
  ACOS: arc('acos'),
  ATAN: direct((x) => `atan(${x})`),
  ATAN2: direct((y, x) => `atan2(${y}, ${x})`),
  DEGREES: direct((x) => `degrees(${x})`),
  RADIANS: direct((x) => `radians(${x})`),
  RANDOM: () => 'random()',
  GREATEST: extreme('greatest'),
  LEAST: extreme('least'),
  IS_NAN: direct((x) => `isnan(${x})`),
};
