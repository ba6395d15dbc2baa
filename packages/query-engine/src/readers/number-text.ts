import { SQL, tryCastTo, type Sql } from '../sql/sql.ts';

/** SQL of whether the text of a number may have a fraction; a hexadecimal one has none. */
export function mayHaveFraction(s: Sql): Sql {
  return SQL`(contains(${s}, '.') OR contains(${s}, 'e-') OR contains(${s}, 'E-'))`;
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
