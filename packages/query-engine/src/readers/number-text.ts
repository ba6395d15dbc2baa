import { ENGINE_TYPES } from '../representation/duck-type.ts';
import { anyOf, castTo, joinSql, SQL, textLiteral, tryCastTo, type Sql } from '../sql/sql.ts';
import type { EngineCast } from './temporal-text.ts';

/** SQL of whether the text of a number may have a fraction; a hexadecimal one has none. */
export function mayHaveFraction(s: Sql): Sql {
  return anyOf(SQL`contains(${s}, '.')`, SQL`contains(${s}, 'e-')`, SQL`contains(${s}, 'E-')`);
}

/** Maximum number of digits of a number that is finite in a type, if its text has no exponent. */
const FINITE_DIGITS = { float: 38, double: 308 } as const;

/** SQL of whether a text is a number beyond the range of a floating type, which the engine would convert to infinity. */
export function isTooLarge(s: Sql, type: keyof typeof FINITE_DIGITS): Sql {
  const mayBe = SQL`(strlen(${s}) > ${FINITE_DIGITS[type]} OR contains(${s}, 'e') OR contains(${s}, 'E'))`;
  // The texts of infinity have no digit.
  return SQL`${mayBe} AND isinf(${tryCastTo(s, ENGINE_TYPES[type])}) AND regexp_matches(${s}, '[0-9]')`;
}

/** Digits before and after the point of decimals of 64 bits: for sums of money, and for what is measured finely. */
const SHORT_DECIMALS = [
  [12, 6],
  [6, 12],
] as const;

/**
 * SQL that converts a text to a decimal, cheap to repeat; `cast` converts long numbers, and what is none. The engine takes 10 µs
 * for a decimal of 128 bits, even of three digits, and 0.05 for one of 64, by way of which most are converted.
 */
export function decimalOfText(s: Sql, cast: EngineCast): Sql {
  const short = SHORT_DECIMALS.map(([before, after]) => {
    const pattern = String.raw`\s*[-+]?\d{1,${before}}([.]\d{0,${after}}0*)?\s*`;
    const value = castTo(castTo(s, `DECIMAL(${before + after},${after})`), ENGINE_TYPES.decimal);
    return SQL`WHEN regexp_full_match(${s}, ${textLiteral(pattern)}) THEN ${value}`;
  });
  return SQL`CASE ${joinSql(short, ' ')} ELSE ${cast(s, ENGINE_TYPES.decimal)} END`;
}

/**
 * Maximum number of digits that are exact in the engine's decimal, wherever the point is, or so small that none is rounded
 * up to an integer.
 */
const MOST_EXACT = 18;

/**
 * SQL that truncates a number's text to an integer of the engine's type, cheap to repeat: exactly, where the engine would
 * round up a fraction of many nines. NULL if the text is not such a number.
 */
export function wholeOfNumber(s: Sql, engineType: string): Sql {
  const short = tryCastTo(SQL`trunc(TRY_CAST(${s} AS DECIMAL(38,18)))`, engineType);
  const digits = SQL`nullif(regexp_extract(${s}, '^\\s*([-+]?[0-9]*\\.)[0-9]*\\s*$', 1), '')`;
  const long = tryCastTo(SQL`${digits} || '0'`, engineType);
  return SQL`CASE WHEN strlen(split_part(lower(${s}), 'e', 1)) <= ${MOST_EXACT} THEN ${short} ELSE ${long} END`;
}
