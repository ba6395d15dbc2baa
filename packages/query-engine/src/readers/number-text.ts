import { ENGINE_TYPES } from '../representation/duck-type.ts';
import { SQL, tryCastTo, type Sql } from '../sql/sql.ts';

/** SQL of whether the text of a number may have a fraction; a hexadecimal one has none. */
export function mayHaveFraction(s: Sql): Sql {
  return SQL`(contains(${s}, '.') OR contains(${s}, 'e-') OR contains(${s}, 'E-'))`;
}

/** Maximum number of digits of a number that is finite in a type, if its text has no exponent. */
const FINITE_DIGITS = { float: 38, double: 308 } as const;

/** SQL of whether a text is a number beyond the range of a floating type, which the engine would convert to infinity. */
export function isTooLarge(s: Sql, type: keyof typeof FINITE_DIGITS): Sql {
  const mayBe = SQL`(strlen(${s}) > ${FINITE_DIGITS[type]} OR contains(${s}, 'e') OR contains(${s}, 'E'))`;
  // The texts of infinity have no digit.
  return SQL`${mayBe} AND isinf(${tryCastTo(s, ENGINE_TYPES[type])}) AND regexp_matches(${s}, '[0-9]')`;
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
