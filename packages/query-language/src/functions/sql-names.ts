import { ownValue } from '../own-value.ts';

/** What other dialects of SQL call a function that this language has under another name. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  APPROX_COUNT_DISTINCT: ['APPROX_DISTINCT'],
  ARG_MAX: ['MAX_BY'],
  ARG_MIN: ['MIN_BY'],
  BASE64: ['TO_BASE64'],
  BOOL_AND: ['EVERY'],
  BOOL_OR: ['SOME'],
  CAPITALIZE: ['INITCAP'],
  CEILING: ['CEIL'],
  CHARINDEX: ['INSTR', 'LOCATE', 'POSITION', 'STRPOS'],
  CHR: ['CHAR'],
  COALESCE: ['IFNULL', 'NVL'],
  COLLECT: ['ARRAY_AGG', 'JSON_AGG', 'JSON_ARRAYAGG', 'LIST'],
  DATE_BUILD: ['DATEFROMPARTS', 'MAKE_DATE'],
  DAY: ['DAYOFMONTH'],
  DAY_OF_WEEK: ['DAYOFWEEK', 'DOW', 'ISODOW', 'WEEKDAY'],
  DAY_OF_YEAR: ['DAYOFYEAR', 'DOY'],
  FILTER: ['ARRAY_FILTER', 'LIST_FILTER'],
  FIRST: ['ANY_VALUE'],
  FIRST_MATCH: ['REGEXP_EXTRACT', 'REGEXP_SUBSTR'],
  FORMAT: ['DATE_FORMAT', 'STRFTIME', 'TO_CHAR'],
  FROM_EPOCH: ['FROM_UNIXTIME'],
  FROM_HEX: ['UNHEX'],
  HEX: ['TO_HEX'],
  IFF: ['IIF'],
  INTERVAL_BUILD: ['MAKE_INTERVAL'],
  LAST_DAY: ['EOMONTH'],
  LENGTH: ['CHARACTER_LENGTH', 'CHAR_LENGTH'],
  LEVENSHTEIN: ['EDITDISTANCE', 'EDIT_DISTANCE'],
  LOWER: ['LCASE'],
  MATCHES: ['REGEXP_FULL_MATCH', 'REGEXP_LIKE', 'REGEXP_MATCHES'],
  MKSTRING: ['ARRAY_JOIN', 'ARRAY_TO_STRING'],
  NOW: ['CURRENT_TIMESTAMP', 'GETDATE', 'LOCALTIMESTAMP', 'SYSDATE'],
  PARSE_JSON: ['JSON_PARSE'],
  POWER: ['POW'],
  QUANTILE: ['APPROX_PERCENTILE', 'APPROX_QUANTILE', 'PERCENTILE', 'PERCENTILE_CONT', 'QUANTILE_CONT'],
  RANDOM: ['RAND'],
  RANGE: ['GENERATE_SERIES', 'SEQUENCE'],
  REDUCE: ['FOLD', 'LIST_REDUCE'],
  REPLACE: ['REGEXP_REPLACE'],
  REPLICATE: ['REPEAT'],
  SHA256: ['SHA2'],
  SORT: ['ARRAY_SORT', 'LIST_SORT'],
  SPLIT: ['SPLIT_PART', 'STRING_SPLIT', 'STRING_TO_ARRAY', 'STR_SPLIT'],
  STDDEV: ['STDDEV_SAMP', 'STDEV'],
  STRING_AGG: ['GROUP_CONCAT', 'LISTAGG'],
  SUBSTRING: ['SUBSTR'],
  TIMESTAMP_BUILD: ['MAKE_TIMESTAMP'],
  TIME_BUCKET: ['DATE_BIN'],
  TIME_BUILD: ['MAKE_TIME'],
  TODAY: ['CURDATE', 'CURRENT_DATE'],
  TO_DATE: ['PARSE_DATE', 'STR_TO_DATE'],
  TO_EPOCH: ['EPOCH', 'UNIX_TIMESTAMP'],
  TO_TIMESTAMP: ['PARSE_TIMESTAMP', 'STRPTIME'],
  TRANSFORM: ['ARRAY_TRANSFORM', 'LIST_TRANSFORM', 'MAP'],
  TRUNC: ['DATETRUNC', 'DATE_TRUNC'],
  UPPER: ['UCASE'],
  VARIANCE: ['VAR', 'VAR_SAMP'],
  WEEK: ['WEEKOFYEAR'],
};

const OURS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NAMES).flatMap(([ours, theirs]) => theirs.map((name) => [name, ours])),
);

/** The built-in function that has this name in other dialects of SQL, in any case. */
export function functionOfSql(name: string): string | undefined {
  return ownValue(OURS, name.toUpperCase());
}

/** All such names. */
export const SQL_NAMES: readonly string[] = Object.keys(OURS);
