import { ownValue } from '../own-value.ts';

/** Names in other dialects of SQL of functions that have another name here. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  BASE64: ['TO_BASE64'],
  BOOL_OR: ['SOME'],
  CHARINDEX: ['INSTR', 'LOCATE', 'POSITION', 'STRPOS'],
  COLLECT: ['JSONB_AGG', 'JSON_AGG', 'JSON_ARRAYAGG', 'LIST'],
  DAY_OF_WEEK: ['DAYOFWEEK', 'DOW', 'ISODOW', 'WEEKDAY'],
  DAY_OF_YEAR: ['DOY'],
  FILTER: ['ARRAY_FILTER', 'LIST_FILTER'],
  FIRST_MATCH: ['REGEXP_EXTRACT', 'REGEXP_SUBSTR'],
  FORMAT: ['DATE_FORMAT', 'STRFTIME', 'TO_CHAR'],
  FROM_EPOCH: ['FROM_UNIXTIME'],
  HEX: ['TO_HEX'],
  INTERVAL_BUILD: ['MAKE_INTERVAL'],
  LEVENSHTEIN: ['EDITDISTANCE', 'EDIT_DISTANCE'],
  MATCHES: ['REGEXP_FULL_MATCH', 'REGEXP_LIKE', 'REGEXP_MATCHES'],
  MEDIAN: ['APPROX_MEDIAN'],
  NOW: ['SYSDATE'],
  QUANTILE: ['APPROX_PERCENTILE', 'APPROX_PERCENTILE_CONT', 'APPROX_QUANTILE', 'PERCENTILE', 'PERCENTILE_CONT', 'QUANTILE_CONT'],
  RANGE: ['GENERATE_SERIES', 'SEQUENCE'],
  REDUCE: ['FOLD', 'LIST_REDUCE'],
  REPLACE: ['REGEXP_REPLACE'],
  SHA256: ['SHA2'],
  SIGN: ['SIGNUM'],
  STDDEV: ['STDEV'],
  STRING_AGG: ['GROUP_CONCAT', 'LISTAGG'],
  TIMESTAMP_BUILD: ['MAKE_TIMESTAMP'],
  TIME_BUILD: ['MAKE_TIME'],
  TO_DATE: ['PARSE_DATE', 'STR_TO_DATE'],
  TO_EPOCH: ['EPOCH'],
  TO_TIMESTAMP: ['PARSE_TIMESTAMP', 'STRPTIME'],
  TYPEOF: ['JSONB_TYPEOF', 'PG_TYPEOF'],
  TRANSFORM: ['ARRAY_TRANSFORM', 'LIST_TRANSFORM', 'MAP'],
  VARIANCE: ['VAR'],
};

const OURS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NAMES).flatMap(([ours, theirs]) => theirs.map((name) => [name, ours])),
);

/** The built-in function that has this name in other dialects of SQL, in any case. */
export function functionOfSql(name: string): string | undefined {
  return ownValue(OURS, name.toUpperCase());
}

/** All names of other dialects. */
export const SQL_NAMES: readonly string[] = Object.keys(OURS);
