/** SQL of whether the text of a number may have digits behind its point; a hexadecimal one has none. */
export function mayHaveFraction(s: string): string {
  return `(contains(${s}, '.') OR contains(${s}, 'e-') OR contains(${s}, 'E-'))`;
}

/** So many digits, wherever the point is, are exact in the engine's decimal, or so small that none is rounded up to a whole. */
const MOST_EXACT = 18;

/**
 * SQL of a number's text, cheap to repeat, as a whole of the engine's type, without what is behind its point: exactly, where the engine would
 * round a fraction of many nines up. NULL where the text is no such number.
 */
export function wholeOfNumber(s: string, engineType: string): string {
  const short = `TRY_CAST(trunc(TRY_CAST(${s} AS DECIMAL(38,18))) AS ${engineType})`;
  const digits = `nullif(regexp_extract(${s}, '^\\s*([-+]?[0-9]*\\.)[0-9]*\\s*$', 1), '')`;
  return `CASE WHEN strlen(split_part(lower(${s}), 'e', 1)) <= ${MOST_EXACT} THEN ${short} ELSE TRY_CAST(${digits} || '0' AS ${engineType}) END`;
}
