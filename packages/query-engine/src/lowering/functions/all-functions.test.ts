import { findFunction } from '@svc/query-language';

import { AGGREGATE_LOWERINGS } from './aggregate-functions.ts';
import { FUNCTION_LOWERINGS } from './index.ts';
import { WINDOW_LOWERINGS } from './window-functions.ts';

/** Every function of the language, family by family. */
const NAMES = {
  conversion: 'BYTE SHORT INT LONG FLOAT DOUBLE DECIMAL STRING BOOL TO_DATE TO_TIME TO_TIMESTAMP FORMAT',
  value: 'COALESCE ISNULL NULLIF IFF CHOOSE TRY ERROR NOW TODAY USER SCOPES',
  string: `CONCAT LEN LENGTH UPPER LOWER CAPITALIZE TRIM LTRIM RTRIM REPLACE SUBSTRING LEFT RIGHT REVERSE REPLICATE SPLIT STARTS_WITH
    ENDS_WITH CONTAINS CHARINDEX COUNT_SUBSTRING LPAD RPAD ASCII CHR LEVENSHTEIN URL_ENCODE URL_DECODE MKSTRING
    MATCHES FIRST_MATCH GROUPS PARSE TRY_PARSE`,
  binary: 'ENCODE DECODE BASE64 FROM_BASE64 HEX FROM_HEX SHA256 MD5',
  temporal: `YEAR MONTH DAY HOUR MINUTE SECOND MILLIS DAY_OF_WEEK WEEK DAY_OF_YEAR QUARTER TRUNC TIME_BUCKET DATE_BUILD TIME_BUILD
    TIMESTAMP_BUILD INTERVAL_BUILD TO_EPOCH FROM_EPOCH LAST_DAY AGE TIMESTAMP_RANGE`,
  math: `ABS SIGN FLOOR CEILING ROUND TRUNCATE SQRT CBRT SQUARE POWER EXP LOG LN LOG10 LOG2 MOD PI SIN COS TAN COT ASIN ACOS ATAN ATAN2
    DEGREES RADIANS RANDOM GREATEST LEAST IS_NAN`,
  collection: `CCOUNT CSUM CMIN CMAX CAVG CFIRST CLAST DISTINCT EXISTS GET TAKE DROP FLATTEN SORT RANGE ZIP TRANSFORM FILTER ANY ALL
    FIND_FIRST REDUCE`,
  record: 'FIELDS ENTRIES TO_JSON PARSE_JSON TRY_PARSE_JSON PARSE_CSV TRY_PARSE_CSV PARSE_XML TRY_PARSE_XML',
  aggregate: `COUNT SUM AVG MIN MAX STDDEV VARIANCE MEDIAN QUANTILE MODE COLLECT STRING_AGG BOOL_AND BOOL_OR FIRST LAST ARG_MIN ARG_MAX
    COUNT_DISTINCT APPROX_COUNT_DISTINCT`,
  window: 'ROW_NUMBER RANK DENSE_RANK LAG LEAD FIRST_VALUE LAST_VALUE NTILE',
};

const CASES = Object.entries(NAMES).flatMap(([family, names]) => names.split(/\s+/).map((name): [string, string] => [name, family]));

it.each(CASES)('%s has a record with examples in the family %s, and its SQL', (name, family) => {
  const definition = findFunction(name);
  expect(definition?.family).toBe(family);
  expect(definition?.examples.length).toBeGreaterThan(0);
  const lowerings: Readonly<Record<string, unknown>> = {
    ...(definition?.kind === 'aggregate' ? AGGREGATE_LOWERINGS : definition?.kind === 'window' ? WINDOW_LOWERINGS : FUNCTION_LOWERINGS),
  };
  // Special ones that the checker expands have no SQL of their own: their examples show that they run.
  expect(definition?.kind === 'special' || name in lowerings).toBe(true);
});

it('knows no function that is not in this list', () => {
  const listed = new Set(CASES.map(([name]) => name));
  const known = [FUNCTION_LOWERINGS, AGGREGATE_LOWERINGS, WINDOW_LOWERINGS].flatMap((lowerings) => Object.keys(lowerings));
  expect(known.filter((name) => !listed.has(name) && name !== 'COLLECT_FIRST')).toEqual([]);
});
