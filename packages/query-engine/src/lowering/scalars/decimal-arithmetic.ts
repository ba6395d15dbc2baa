import { DECIMAL_SCALE, DECIMAL_WIDTH } from '../../representation/duck-type.ts';
import { castTo, memberOf, SQL, verbatim, type Sql } from '../../sql/sql.ts';
import type { ScaledSql } from '../functions/scaled-functions.ts';
import { atScale } from './decimal-scale.ts';
import { letExpression, transformList } from './let-expression.ts';

/** Scale to which factors are rounded if the sum of theirs exceeds the maximum. */
const FACTOR_SCALE = 9;

/** `+ - %` at the larger scale of both, and of the result 18 digits after the point; past 38 digits the engine fails. */
export function addDecimals(operator: '+' | '-' | '%', left: ScaledSql, right: ScaledSql): Sql {
  const scale = Math.max(left.scale, right.scale);
  const sql = SQL`(${atScale(left.sql, scale)} ${verbatim(operator)} ${atScale(right.sql, scale)})`;
  return scale > DECIMAL_SCALE ? atScale(sql, DECIMAL_SCALE) : sql;
}

/** Exact if the scales add up to at most 18; otherwise both factors are rounded to scale 9 first. */
export function multiplyDecimals(left: ScaledSql, right: ScaledSql): Sql {
  if (left.scale + right.scale <= DECIMAL_SCALE) return SQL`(${atScale(left.sql, left.scale)} * ${atScale(right.sql, right.scale)})`;
  return SQL`(${factor(left)} * ${factor(right)})`;
}

/** Rounds by `round`, for which the engine takes half as long as for a cast to fewer digits. */
function factor({ sql, scale }: ScaledSql): Sql {
  return scale > FACTOR_SCALE ? SQL`round(${atScale(sql, scale)}, ${verbatim(`${FACTOR_SCALE}`)})` : atScale(sql, FACTOR_SCALE);
}

/**
 * The quotient with 18 digits after the point, rounded half up: the engine itself divides decimals as doubles. `overflow` and
 * `byZero` fail when evaluated. NULL of NULL.
 */
export function divideDecimals(dividend: ScaledSql, divisor: ScaledSql, fail: { readonly overflow: Sql; readonly byZero: Sql }): Sql {
  if (Math.max(dividend.scale, divisor.scale) > DECIMAL_SCALE) return divideAsWideIntegers(dividend, divisor, fail);
  return letExpression([atScale(dividend.sql, dividend.scale), atScale(divisor.sql, divisor.scale)], (a, b) => {
    const [n, d] = [
      { ...dividend, sql: a },
      { ...divisor, sql: b },
    ] as const;
    return SQL`coalesce(${divideFewDigits(n, d)}, ${divideAsWideIntegers(n, d, fail)})`;
  });
}

/** Digits of a dividend that a double holds exactly, and of a divisor whose remainders, 6 digits longer, fit 64 bits. */
const FEW_DIGITS = { dividend: 15, divisor: 12 } as const;
/** Digits of a quotient that are computed at once. */
const STEP = 6;

/** Long division with 64 bits, some ten times as fast as with 128; NULL by 0 and where the operands have too many digits. */
function divideFewDigits(dividend: ScaledSql, divisor: ScaledSql): Sql {
  const divisorScale = shortScale(divisor.scale);
  const scale = Math.max(shortScale(dividend.scale), divisorScale);
  const values = [fewDigits(dividend, scale, FEW_DIGITS.dividend), fewDigits(divisor, divisorScale, FEW_DIGITS.divisor)];
  return letExpression(values, (n, d) => {
    const half = SQL`CASE WHEN ${n} < 0 THEN -abs(${d} // 2) ELSE abs(${d} // 2) END`;
    let rest = SQL`${n} % ${d}`;
    let fraction = verbatim('0');
    for (let left = DECIMAL_SCALE - scale + divisorScale; left > 0; left -= STEP) {
      const digits = Math.min(STEP, left);
      const carried = SQL`${rest} * ${power(digits)}`;
      fraction = SQL`(${fraction}) * ${power(digits)} + (${left > STEP ? carried : SQL`${carried} + ${half}`}) // ${d}`;
      rest = SQL`(${carried}) % ${d}`;
    }
    const shift = power(DECIMAL_SCALE - scale + divisorScale);
    return fromUnscaled(SQL`(CAST(${n} // ${d} AS HUGEINT) * ${shift} + (${fraction}))`);
  });
}

/** Scale at which the digits of decimals are read: values of many digits after the point mostly end in zeros. */
function shortScale(scale: number): number {
  return scale <= 9 ? scale : 4;
}

/** The digits of a decimal at this scale as a BIGINT: NULL if they are more than `most`, or if the value has others after them. */
function fewDigits({ sql, scale: own }: ScaledSql, scale: number, most: number): Sql {
  const digits = SQL`CASE WHEN abs(${sql}) < ${power(most - scale)} THEN CAST(CAST(${sql} AS DOUBLE) * ${power(scale)} AS BIGINT) END`;
  if (own <= scale) return digits;
  const unit = verbatim((10 ** -scale).toFixed(DECIMAL_SCALE));
  return letExpression([digits], (n) => SQL`CASE WHEN CAST(${n} AS DECIMAL(${DECIMAL_WIDTH},0)) * ${unit} = ${sql} THEN ${n} END`);
}

/** The same by division of all digits as wide integers. */
function divideAsWideIntegers(dividend: ScaledSql, divisor: ScaledSql, fail: { readonly overflow: Sql; readonly byZero: Sql }): Sql {
  const shift = DECIMAL_SCALE - dividend.scale + divisor.scale;
  if (shift < 0) return divideAsWideIntegers(dividend, { sql: divisor.sql, scale: dividend.scale - DECIMAL_SCALE }, fail);
  // No integer has so many digits: as many as possible are added to the dividend, which overflows if it cannot hold them.
  if (shift > DECIMAL_WIDTH)
    return divideAsWideIntegers({ sql: dividend.sql, scale: divisor.scale + DECIMAL_SCALE - DECIMAL_WIDTH }, divisor, fail);
  return letExpression([unscaled(dividend), unscaled(divisor)], (a, b) => {
    // Of divisors beside which no further digit fits, the last of 38 digits, far after the point, is dropped.
    const shortened = (x: Sql): Sql =>
      SQL`CASE WHEN abs(${b}) >= ${power(DECIMAL_WIDTH - 1)} THEN (abs(${x}) + 5) // 10 ELSE abs(${x}) END`;
    const quotient = letExpression([shortened(a), shortened(b)], (n, d) => longDivision(n, d, shift, fail.overflow));
    const signed = SQL`CASE WHEN (${a} < 0) <> (${b} < 0) THEN -1 ELSE 1 END * ${quotient}`;
    return SQL`CASE WHEN ${a} IS NULL OR ${b} IS NULL THEN NULL WHEN ${b} = 0 THEN ${fail.byZero} ELSE ${fromUnscaled(SQL`(${signed})`)} END`;
  });
}

/** Computes round(n * 10^shift / d) of numbers that are not negative, in as few steps as the 38 digits of the engine's widest integer allow. */
function longDivision(n: Sql, d: Sql, shift: number, overflow: Sql): Sql {
  const first = Math.ceil(shift / 2);
  const digits = SQL`CASE WHEN ${d} < ${power(DECIMAL_WIDTH - shift)} THEN [${wide(power(shift))}] WHEN ${d} < ${power(DECIMAL_WIDTH - first)} THEN [${wide(power(first))}, ${wide(power(shift - first))}] ELSE repeat([${wide(power(1))}], ${shift}) END`;
  const steps = transformList(digits, (factor) => SQL`struct_pack(q := ${wide(power(0))}, r := ${wide(power(0))}, f := ${factor})`);
  const step = SQL`struct_pack(q := step_1.q * step_2.f + step_1.r * step_2.f // ${d}, r := step_1.r * step_2.f % ${d}, f := step_2.f)`;
  const start = SQL`struct_pack(q := CASE WHEN ${n} // ${d} >= ${power(DECIMAL_WIDTH - shift)} THEN ${wide(overflow)} ELSE ${n} // ${d} END, r := ${n} % ${d}, f := ${wide(power(0))})`;
  return letExpression(
    [SQL`list_reduce(${steps}, lambda step_1, step_2: ${step}, ${start})`],
    (last) => SQL`(${memberOf(last, 'q')} + CASE WHEN ${memberOf(last, 'r')} >= ${d} - ${memberOf(last, 'r')} THEN 1 ELSE 0 END)`,
  );
}

/** Returns all digits of a decimal as one integer. */
function unscaled({ sql, scale }: ScaledSql): Sql {
  return scale === 0
    ? castTo(atScale(sql, 0), 'HUGEINT')
    : castTo(SQL`replace(CAST(${atScale(sql, scale)} AS VARCHAR), '.', '')`, 'HUGEINT');
}

/** The decimal of scale 18 that has these digits. */
function fromUnscaled(digits: Sql): Sql {
  return SQL`CAST(${digits} AS DECIMAL(${DECIMAL_WIDTH},0)) * 0.000000000000000001`;
}

function wide(number: Sql): Sql {
  return castTo(number, 'HUGEINT');
}

/** A power of ten as a number, which the engine binds faster than a CAST: beside a HUGEINT it is one. */
function power(exponent: number): Sql {
  return verbatim(`1${'0'.repeat(exponent)}`);
}
