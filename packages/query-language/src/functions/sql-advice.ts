import { ownValue } from '../own-value.ts';
import { isNumericName } from '../types/numeric-types.ts';

const DIFFERENCE = 'b - a is an interval, DAY(b - a) its days, and TO_EPOCH(b - a) its seconds';
const ADDED = 'write t + interval "30 days"';
const PRINTED = 'FORMAT(t, "yyyy-MM-dd") prints a date or a time, CAST(x AS string) anything';
const READ_AS_TIME = 'write TO_TIMESTAMP(s, "yyyy-MM-dd HH:mm:ss")';
const READ_AS_DATE = 'write TO_DATE(s, "yyyy-MM-dd")';
const SERIES = 'RANGE(1, 11) counts from 1 to 10, TIMESTAMP_RANGE(from, to, interval "1 day") gives times';
const IN_FROM = 'a collection stands in FROM: FROM orders o, o.items i';
const JSON_PATH = 'write PARSE_JSON(s).name, or PARSE_JSON(s AS record(name: string))';
const RECORD = 'a record is written (a: 1, b: 2)';
const NUMBER = 'write CAST(s AS double), or TRY_CAST for NULL where s is no number';
const TEXT = 'write CAST(x AS string)';
const NO_IDENTIFIERS = 'ROW_NUMBER() OVER (ORDER BY x) numbers rows';
const JOIN = 'join the tables: FROM a JOIN b ON b.id = a.id';
const REGEX = 'write MATCHES(s, r"…") for a whole text, FIRST_MATCH(s, r"…") for a part';

/** Functions of other systems that another construct replaces, by the advice. One table, long on purpose. */
const ADVICE: Readonly<Record<string, readonly string[]>> = {
  [DIFFERENCE]: ['DATEDIFF', 'DATE_DIFF', 'TIMESTAMPDIFF', 'TIMESTAMP_DIFF', 'TIMEDIFF', 'DATESUB'],
  'write AGE(a, b), an interval of years, months and days': ['MONTHS_BETWEEN', 'YEARS_BETWEEN'],
  [ADDED]: ['DATE_ADD', 'DATEADD', 'TIMESTAMP_ADD', 'TIMESTAMPADD', 'ADDDATE', 'ADD_DAYS'],
  'write t - interval "30 days"': ['DATE_SUB', 'TIMESTAMP_SUB', 'SUBDATE'],
  'write t + interval "1 month"': ['ADD_MONTHS', 'EDATE'],
  [PRINTED]: ['TO_CHAR', 'STRFTIME', 'DATE_FORMAT', 'FORMAT_DATE', 'FORMAT_TIMESTAMP', 'FORMAT_DATETIME', 'TEXT'],
  [READ_AS_TIME]: ['STRPTIME', 'PARSE_TIMESTAMP', 'PARSE_DATETIME', 'TRY_STRPTIME'],
  [READ_AS_DATE]: ['PARSE_DATE', 'STR_TO_DATE', 'DATEVALUE'],
  'DATE_BUILD(y, m, d) makes a date, CAST(t AS date) takes it from a timestamp or a text': ['DATE'],
  'write CAST(s AS timestamp)': ['DATETIME', 'TIMESTAMP'],
  'write YEAR(t), or EXTRACT(year FROM t)': ['EXTRACT', 'DATEPART', 'DATENAME'],
  'write CAST(NOW() AS time)': ['CURRENT_TIME', 'LOCALTIME', 'CURTIME'],
  [SERIES]: ['GENERATE_SERIES', 'SEQUENCE', 'GENERATE_ARRAY', 'GENERATE_DATE_ARRAY', 'GENERATE_TIMESTAMP_ARRAY'],
  [IN_FROM]: ['EXPLODE', 'EXPLODE_OUTER', 'POSEXPLODE', 'INLINE', 'JSON_ARRAY_ELEMENTS', 'JSONB_ARRAY_ELEMENTS', 'JSON_EACH'],
  'write CSUM(c)': ['LIST_SUM', 'ARRAY_SUM'],
  'write CAVG(c)': ['LIST_AVG', 'ARRAY_AVG'],
  'write CMIN(c)': ['LIST_MIN', 'ARRAY_MIN'],
  'write CMAX(c)': ['LIST_MAX', 'ARRAY_MAX'],
  'CSUM, CMIN, CMAX, CAVG and CCOUNT aggregate the elements of a collection': ['LIST_AGGREGATE', 'LIST_AGG', 'ARRAY_AGGREGATE'],
  'write DISTINCT(c)': ['LIST_DISTINCT', 'ARRAY_DISTINCT', 'LIST_UNIQUE'],
  'write a ++ b': ['ARRAY_CAT', 'ARRAY_CONCAT', 'LIST_CONCAT', 'LIST_CAT'],
  'write c ++ [x]': ['ARRAY_APPEND', 'LIST_APPEND', 'ARRAY_PUSH'],
  'write [x] ++ c': ['ARRAY_PREPEND', 'LIST_PREPEND'],
  'write c[i], which counts from 0': ['ELEMENT_AT', 'LIST_EXTRACT', 'ARRAY_EXTRACT', 'LIST_ELEMENT', 'NTH', 'INDEX'],
  'write TAKE(DROP(c, 1), 2)': ['ARRAY_SLICE', 'LIST_SLICE', 'SLICE'],
  'write EXISTS(a INTERSECT b)': ['ARRAYS_OVERLAP', 'LIST_HAS_ANY', 'ARRAY_HAS_ANY'],
  'write x IN c': ['ARRAY_HAS', 'LIST_HAS'],
  'write CFIRST(SELECT i FROM c x AT i WHERE x = 5), which counts from 0': [
    'ARRAY_POSITION',
    'LIST_POSITION',
    'ARRAY_INDEXOF',
    'LIST_INDEXOF',
  ],
  'write FILTER(c, \\(e) -> e <> x)': ['ARRAY_REMOVE', 'LIST_REMOVE', 'ARRAY_REMOVE_ALL'],
  'write FILTER(c, \\(e) -> e IS NOT NULL)': ['ARRAY_COMPACT'],
  'write TRANSFORM(c, \\(e) -> IF e = x THEN y ELSE e)': ['ARRAY_REPLACE', 'LIST_REPLACE', 'ARRAY_REPLACE_ALL'],
  'write TRANSFORM(RANGE(0, 3), \\(i) -> x)': ['ARRAY_REPEAT', 'LIST_REPEAT'],
  'write DROP(c, 1)': ['ARRAY_POP_FRONT', 'LIST_POP_FRONT'],
  'write TAKE(c, LEN(c) - 1)': ['ARRAY_POP_BACK', 'LIST_POP_BACK'],
  'write DISTINCT(a ++ b)': ['ARRAY_UNION', 'LIST_UNION'],
  'write a INTERSECT b': ['ARRAY_INTERSECT', 'LIST_INTERSECT'],
  'write a EXCEPT b': ['ARRAY_EXCEPT', 'LIST_EXCEPT'],
  'write REVERSE(c)': ['ARRAY_REVERSE', 'LIST_REVERSE'],
  'write SORT(c)': ['SORT_ARRAY'],
  'write ZIP(a, b)': ['ARRAYS_ZIP', 'ARRAY_ZIP', 'LIST_ZIP'],
  'write TRANSFORM(ZIP(a, b), \\(e) -> e._1 + e._2)': ['ZIP_WITH'],
  'write ALL(c, \\(e) -> e > 0)': ['FORALL'],
  'REDUCE(c, start, f) folds a collection': ['AGGREGATE', 'ARRAY_REDUCE'],
  'write LEN(c) = 0': ['EMPTY', 'ARRAY_EMPTY', 'LIST_EMPTY'],
  'a collection is written [1, 2]': ['ARRAY', 'LIST_VALUE', 'ARRAY_CONSTRUCT', 'MAKE_ARRAY', 'MAKE_LIST'],
  'write r.name, or GET(r, key)': ['GET_FIELD', 'STRUCT_EXTRACT', 'MAP_EXTRACT', 'MAP_GET'],
  'write TRANSFORM(ENTRIES(r), \\(e) -> e.key)': ['MAP_KEYS', 'JSON_KEYS', 'JSON_OBJECT_KEYS', 'JSONB_OBJECT_KEYS'],
  'write TRANSFORM(ENTRIES(r), \\(e) -> e.value)': ['MAP_VALUES'],
  'write LEN(CAST(x AS collection(any)))': ['JSON_ARRAY_LENGTH', 'JSONB_ARRAY_LENGTH'],
  'write LEFT(s, 1) || x || SUBSTRING(s, 4)': ['OVERLAY', 'STUFF', 'INSERT'],
  'write REPLICATE(" ", n)': ['SPACE'],
  'write FROM_EPOCH(n)': ['TO_TIMESTAMP_SECONDS', 'TIMESTAMP_SECONDS'],
  'write FROM_EPOCH(n / 1000.0)': ['TO_TIMESTAMP_MILLIS', 'TIMESTAMP_MILLIS', 'EPOCH_MS'],
  'write FROM_EPOCH(n / 1000000.0)': ['TO_TIMESTAMP_MICROS', 'TIMESTAMP_MICROS', 'MAKE_TIMESTAMP_US'],
  'write TO_EPOCH(t)': ['TO_UNIXTIME', 'TO_UNIX_TIMESTAMP'],
  'write TRY(a + b)': ['TRY_ADD', 'TRY_SUBTRACT', 'TRY_MULTIPLY'],
  'write (a % b + b) % b': ['PMOD'],
  'write ENCODE(s), FROM_HEX(s) or FROM_BASE64(s)': ['TO_BINARY', 'TO_BYTES'],
  'write USER()': ['CURRENT_USER', 'SESSION_USER'],
  'write x / SUM(x) OVER ()': ['RATIO_TO_REPORT'],
  'write SUBSTRING(s, 1, 2)': ['MID'],
  'write TRIM(s)': ['BTRIM', 'STRIP'],
  'write LEN(ENCODE(s))': ['OCTET_LENGTH', 'BYTE_LENGTH'],
  'write REPLACE(REPLACE(s, "a", "x"), "b", "y")': ['TRANSLATE'],
  [JOIN]: ['VLOOKUP', 'HLOOKUP', 'XLOOKUP', 'LOOKUP'],
  "write SUM(x) FILTER (WHERE k = 'a')": ['SUMIF', 'SUMIFS', 'SUM_IF'],
  "write COUNT(*) FILTER (WHERE k = 'a')": ['COUNTIFS'],
  "write AVG(x) FILTER (WHERE k = 'a')": ['AVERAGEIF', 'AVERAGEIFS', 'AVG_IF'],
  'write COUNT(x)': ['COUNTA'],
  'write AVG(x)': ['AVERAGE', 'MEAN'],
  'write a || b, or CONCAT(a, b) where NULL counts as nothing': ['CONCATENATE', 'STRCAT'],
  [NUMBER]: ['TO_NUMBER', 'TO_DOUBLE', 'TO_DECIMAL', 'TO_NUMERIC', 'PARSEFLOAT', 'VAL', 'VALUE', 'NUMBER'],
  'write CAST(s AS int)': ['PARSEINT', 'TO_INT', 'TO_INTEGER', 'TOINT'],
  [TEXT]: ['TO_VARCHAR', 'TO_STRING', 'TOSTRING', 'STR'],
  'write CAST(x AS int), with the type that is wanted': ['CONVERT'],
  'write TRY_CAST(s AS double) IS NOT NULL': ['ISNUMERIC', 'IS_NUMERIC', 'ISNUMBER'],
  'write TRY_CAST(s AS date) IS NOT NULL': ['ISDATE', 'IS_DATE'],
  'write x IS NULL': ['ISBLANK', 'IS_NULL'],
  'compare with =, < and >': ['STRCMP'],
  "write SPLIT_PART(s, ' ', 1)": ['SUBSTRING_INDEX'],
  'write IF x IS NOT NULL THEN a ELSE b': ['NVL2'],
  'write COALESCE(x, 0)': ['ZEROIFNULL', 'NULL_TO_ZERO'],
  'write CASE WHEN a THEN x WHEN b THEN y ELSE z END': ['SWITCH', 'IFS'],
  'write a / NULLIF(b, 0), or TRY(a / b)': ['SAFE_DIVIDE', 'DIV0', 'TRY_DIVIDE', 'IFERROR'],
  [JSON_PATH]: [
    ...['JSON_EXTRACT', 'JSON_EXTRACT_SCALAR', 'JSON_EXTRACT_STRING', 'JSON_EXTRACT_PATH', 'JSON_EXTRACT_PATH_TEXT', 'JSON_VALUE'],
    ...['JSON_QUERY', 'GET_JSON_OBJECT', 'GET_PATH', 'FROM_JSON', 'JSON_TO_RECORD', 'JSONB_EXTRACT_PATH', 'JSON_TUPLE'],
  ],
  'write TO_JSON(x)': ['TO_JSON_STRING', 'ARRAY_TO_JSON', 'ROW_TO_JSON', 'TO_JSONB', 'STRINGIFY'],
  [RECORD]: ['STRUCT', 'ROW', 'NAMED_STRUCT', 'STRUCT_PACK', 'OBJECT_CONSTRUCT', 'JSON_OBJECT', 'JSON_BUILD_OBJECT'],
  'TRANSFORM(c, f) gives f of each element, and a record is written (a: 1, b: 2)': ['MAP'],
  [NO_IDENTIFIERS]: ['NEXTVAL', 'CURRVAL', 'ROWNUM', 'GEN_RANDOM_UUID', 'UUID', 'NEWID', 'GENERATE_UUID', 'UUID_STRING'],
  'write HEX(MD5(ENCODE(s, "utf-8")))': ['HASH', 'FARM_FINGERPRINT', 'CHECKSUM'],
  'write READ_CSV("file:name.csv")': ['READ_CSV_AUTO', 'CSV_SCAN'],
  'write READ_JSON("file:name.json")': ['READ_JSON_AUTO', 'READ_NDJSON', 'READ_JSON_OBJECTS'],
  'write READ_PARQUET("file:name.parquet")': ['PARQUET_SCAN'],
  'write READ("file:name.csv")': ['OPENROWSET', 'READ_FILES', 'READ_FILE', 'LOAD_FILE'],
  'write REPLACE(s, r"…", by)': ['REGEXP_REPLACE'],
  [REGEX]: ['REGEXP_LIKE', 'REGEXP_MATCHES', 'REGEXP_FULL_MATCH', 'REGEXP_CONTAINS', 'REGEXP_MATCH', 'RLIKE', 'REGEXP'],
  'write FIRST_MATCH(s, r"…"), or GROUPS(s, r"(…)")': ['REGEXP_EXTRACT', 'REGEXP_SUBSTR', 'REGEXP_EXTRACT_ALL'],
  'write x IN (SELECT y FROM t)': ['SOME'],
  '* EXCLUDE (a, b) takes all fields but some': ['COLUMNS'],
  'write (VALUES (1), (2)), or [1, 2]': ['VALUES'],
  'write LIMIT at the end': ['TOP'],
  'QUANTILE(x, 0.5) interpolates between values, as PERCENTILE_CONT does': ['PERCENTILE_DISC', 'QUANTILE_DISC'],
};

const BY_NAME: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ADVICE).flatMap(([advice, names]) => names.map((name) => [name, advice])),
);

/** The advice for a name that is a function of other systems, in any case. */
export function adviceOfSql(name: string): string | undefined {
  return ownValue(BY_NAME, name.toUpperCase());
}

/** Advice for functions with other arguments elsewhere, by the number of arguments that indicates it. */
const OTHER_CALLS: Readonly<Record<string, { readonly count: (count: number) => boolean; readonly advice: string }>> = {
  COUNT: { count: (count) => count !== 1, advice: 'COUNT(*) counts rows, COUNT(DISTINCT (a, b)) different pairs' },
  ANY: { count: (count) => count === 1, advice: 'write x IN (SELECT y FROM t), or ANY(c, \\(e) -> e > x)' },
  ALL: { count: (count) => count === 1, advice: 'write ALL(c, \\(e) -> x >= e), or compare with (SELECT MAX(y) FROM t)' },
  DECODE: { count: (count) => count > 2, advice: "write CASE x WHEN 'a' THEN 1 ELSE 2 END; DECODE reads the text of bytes" },
  TRUNC: { count: (count) => count === 1, advice: 'write TRUNCATE(x) for a number; TRUNC("month", t) is of times' },
  TO_DATE: { count: (count) => count === 1, advice: 'write CAST(s AS date), or give a template: TO_DATE(s, "yyyy-MM-dd")' },
  TO_TIMESTAMP: { count: (count) => count === 1, advice: 'write CAST(s AS timestamp), and FROM_EPOCH(n) of seconds' },
  RANGE: { count: (count) => count === 1, advice: 'RANGE(0, n) counts from 0 to n - 1' },
  SORT: { count: (count) => count > 1, advice: 'write SORT(c), REVERSE(SORT(c)), or (SELECT x FROM c x ORDER BY x DESC NULLS FIRST)' },
  LEN: { count: (count) => count === 2, advice: 'LEN takes the collection alone' },
  MODE: { count: (count) => count === 0, advice: 'write MODE(x)' },
  TRIM: { count: (count) => count === 2, advice: 'write REPLACE(s, r"^x+|x+$", "")' },
  LTRIM: { count: (count) => count === 2, advice: 'write REPLACE(s, r"^x+", "")' },
  RTRIM: { count: (count) => count === 2, advice: 'write REPLACE(s, r"x+$", "")' },
};

/** Returns advice for a call of a built-in function with the argument count of another system; null otherwise. */
export function adviceForCount(functionName: string, count: number): string | null {
  const other = ownValue(OTHER_CALLS, functionName);
  return other !== undefined && other.count(count) ? other.advice : null;
}

/** Returns advice for a call of a built-in function with the argument type of another system; null otherwise. */
export function adviceForType(functionName: string, type: string | undefined): string | null {
  if (functionName !== 'TRUNC' || type === undefined) return null;
  const plain = type.replace(/ nullable$/, '');
  if (isNumericName(plain)) return 'write TRUNCATE(x, n) for a number; TRUNC("month", t) is of times';
  return plain === 'date' || plain === 'timestamp' ? 'the unit stands first and in quotes: TRUNC("month", t)' : null;
}

/** All names with advice, with their advice. */
export const SQL_ADVICE: readonly (readonly [name: string, advice: string])[] = Object.entries(BY_NAME);
