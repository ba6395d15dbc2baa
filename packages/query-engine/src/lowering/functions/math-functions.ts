import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import type { CallContext, FunctionLowering } from '../lowering-types.ts';
import { comparesAsMeant } from '../scalars/comparable.ts';
import { divisionByZero, remainderBy } from '../scalars/lower-arithmetic.ts';
import { extremeElement } from '../scalars/sort-key.ts';
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

/** FLOOR and CEILING return a long, and fail out of its range. */
const toLong = (name: 'floor' | 'ceil'): FunctionLowering =>
  byType(0, (type) => ([x], call) => {
    const sql = x?.sql ?? 'NULL';
    return isWhole(type) ? `CAST(${sql} AS BIGINT)` : call.castLine(`CAST(${name}(${sql}) AS BIGINT)`);
  });

/** Both cut or round to a number of decimals; a negative one means tens, hundreds … */
function toDecimals(name: 'round' | 'trunc'): FunctionLowering {
  return (args, call) => {
    const [x, digits] = args;
    if (x === undefined || digits === undefined) throw new Error(`${call.functionName} needs a number and its digits.`);
    const engineType = duckType(call.type);
    if (isWhole(x.type))
      return guarded((_, n, d) =>
        call.castLine(
          `CAST(CASE WHEN ${d} >= 0 THEN CAST(${n} AS HUGEINT) WHEN ${d} < -19 THEN CAST(0 AS HUGEINT) ELSE ${wholeTo(name, n, d)} END AS ${engineType})`,
        ),
      )(args, call);
    if (typeName(x.type) === 'decimal')
      return guarded((_, n, d) => {
        const value = typeof digits.constant === 'string' ? decimalTo(name, n, digits.constant) : decimalToAny(name, n, d);
        return name === 'trunc'
          ? value
          : `CASE WHEN ${d} = -20 AND abs(${n}) >= 50000000000000000000 THEN ${call.raise('decimal overflow', call.type)} ELSE ${value} END`;
      })(args, call);
    if (name === 'trunc' || Number(digits.constant ?? -1) >= 0) return `CAST(${name}(${x.sql}, ${digits.sql}) AS ${engineType})`;
    // For tens and hundreds the engine rounds infinities and NaN to 0.
    return guarded((_, n, d) => `CAST(CASE WHEN isfinite(${n}) THEN ${name}(${n}, ${d}) ELSE ${n} END AS ${engineType})`)(args, call);
  };
}

/** By way of a decimal: the engine's own ROUND overflows silently at the ends of a type. */
function wholeTo(name: 'round' | 'trunc', n: string, digits: string): string {
  const unit = `CAST(power(10, -${digits}) AS HUGEINT)`;
  const half = name === 'round' ? ` + sign(${n}) * (${unit} // 2)` : '';
  return `((CAST(${n} AS HUGEINT)${half}) // ${unit}) * ${unit}`;
}

function decimalTo(name: 'round' | 'trunc', n: string, digits: number | string): string {
  return `CAST(${name}(CAST(${n} AS DECIMAL(38,18)), ${digits}) AS DECIMAL(38,18))`;
}

/** The engine requires a constant number of digits: one branch for each that makes a difference. */
function decimalToAny(name: 'round' | 'trunc', n: string, digits: string): string {
  const branches = Array.from({ length: 39 }, (_, i) => `WHEN ${i - 20} THEN ${decimalTo(name, n, i - 20)}`);
  return `CASE greatest(least(${digits}, 18), -20) ${branches.join(' ')} END`;
}

const extreme = (name: 'greatest' | 'least'): FunctionLowering =>
  guarded(({ type }, ...values) =>
    comparesAsMeant(type) ? `${name}(${values.join(', ')})` : extremeElement(`[${values.join(', ')}]`, type, name),
  );

/** Corrects rounding errors of the engine's cube root of integer cubes. */
const cbrt = guarded((_, x) => `CASE WHEN abs(${x}) < 1e15 AND round(cbrt(${x})) ** 3 = ${x} THEN round(cbrt(${x})) ELSE cbrt(${x}) END`);

const modulo: FunctionLowering = ([x, y], call: CallContext) => {
  if (x === undefined || y === undefined) throw new Error('MOD needs two arguments.');
  const name = typeName(call.type);
  if (name === 'float' || name === 'double') return `(${x.sql} % ${y.sql})`;
  const scaled = (sql: string): string => (name === 'decimal' ? `CAST(${sql} AS DECIMAL(38,18))` : sql);
  return divisionByZero([scaled(x.sql), scaled(y.sql)], call, remainderBy(name === 'decimal' ? undefined : y.constant));
};

/** Lowerings of numeric functions. Where the engine fails for a value defined by IEEE 754, they return it. */
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
