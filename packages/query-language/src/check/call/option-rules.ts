import type { OptionValue } from '../environment.ts';

/** Validation rule of an option and the description of its accepted values. */
export interface OptionRule {
  readonly accepts: (value: OptionValue) => boolean;
  readonly expected: string;
  /** Accepted words, compared without regard to case; the nearest one is suggested. */
  readonly words?: readonly string[];
  /** True if the value may be a secret; messages do not repeat it. */
  readonly isSecret?: boolean;
}

const isWhole = (value: OptionValue): value is number => typeof value === 'number' && Number.isInteger(value);

function isPair(value: OptionValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length === 2 && entries.every(([name, part]) => ['name', 'value'].includes(name.toLowerCase()) && typeof part === 'string')
  );
}

function oneOf(words: readonly string[], expected: string): OptionRule {
  return { accepts: (value) => typeof value === 'string' && words.includes(value.toLowerCase()), expected, words };
}

const CHARACTER: OptionRule = {
  accepts: (value) => typeof value === 'string' && /^[^\r\n]$/u.test(value),
  expected: 'one character other than a line break',
};
const QUOTE: OptionRule = {
  accepts: (value) => typeof value === 'string' && /^[^\r\n]?$/u.test(value),
  expected: 'one character other than a line break, or "" for none',
};
const FLAG: OptionRule = { accepts: (value) => typeof value === 'boolean', expected: 'true or false' };
const SAMPLE: OptionRule = {
  accepts: (value) => isWhole(value) && (value === -1 || value > 0),
  expected: 'a number of rows, or -1 for all',
};
const COUNT: OptionRule = { accepts: (value) => isWhole(value) && value >= 0, expected: 'a number of lines, 0 or more' };
const TEXTS: OptionRule = {
  accepts: (value) => Array.isArray(value) && value.every((member) => typeof member === 'string'),
  expected: 'a collection of strings',
};
const NAME: OptionRule = { accepts: (value) => typeof value === 'string' && value !== '', expected: 'a name' };
const PAIRS: OptionRule = {
  accepts: (value) => Array.isArray(value) && value.every(isPair),
  expected: 'a collection of records of two strings, name and value',
  isSecret: true,
};
const BODY: OptionRule = { accepts: (value) => typeof value === 'string', expected: 'a string', isSecret: true };
const METHOD = oneOf(['get', 'post', 'put', 'patch', 'delete'], '"GET", "POST", "PUT", "PATCH" or "DELETE"');
const AGE: OptionRule = {
  // Months, days and microseconds, as the check has read them.
  accepts: (value) => typeof value === 'string' && /^\d+ \d+ \d+$/.test(value),
  expected: 'an interval such as interval "10 minutes"',
};
const ON_ERROR = oneOf(['fail', 'null', 'skip'], '"fail", "null" or "skip"');

/** Names of character sets, in lower case. */
const ENCODINGS: readonly string[] = [
  'utf-8',
  'utf8',
  'utf-16',
  'utf-16le',
  'utf-16be',
  'ascii',
  'us-ascii',
  'latin-1',
  'latin1',
  ...[1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].map((part) => `iso-8859-${part}`),
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].map((page) => `windows-${page}`),
  'koi8-r',
  'koi8-u',
  'macintosh',
  'big5',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'gbk',
  'shift_jis',
];
const ENCODING = oneOf(ENCODINGS, 'a character set such as "utf-8", "utf-16", "latin-1", "windows-1252" or "shift_jis"');

/** Rules by the names of options, in lower case. */
export type Rules = Readonly<Record<string, OptionRule>>;

const ROWS: Rules = { on_error: ON_ERROR, file_name: FLAG };
const CSV: Rules = {
  delimiter: CHARACTER,
  has_header: FLAG,
  quote: QUOTE,
  escape: QUOTE,
  skip: COUNT,
  nulls: TEXTS,
};
const INFERRED: Rules = { sample_size: SAMPLE, encoding: ENCODING, ...ROWS };
const XML: Rules = { row_tag: NAME };
const EXCEL: Rules = { sheet: NAME };
const CELLS: Rules = { has_header: FLAG, skip: COUNT };

/** Options of HTTP sources; `cache` is the maximum age of a cached response. */
const HTTP: Rules = { http_method: METHOD, http_headers: PAIRS, http_args: PAIRS, http_body: BODY, cache: AGE };

/** Options by the names that they have in DuckDB, PostgreSQL, Spark and pandas. */
export const OPTIONS_ELSEWHERE: Readonly<Record<string, string>> = {
  delim: 'delimiter',
  sep: 'delimiter',
  separator: 'delimiter',
  field_delimiter: 'delimiter',
  header: 'has_header',
  quotechar: 'quote',
  escapechar: 'escape',
  skiprows: 'skip',
  skip_rows: 'skip',
  null: 'nulls',
  nullstr: 'nulls',
  nullvalue: 'nulls',
  null_value: 'nulls',
  na_values: 'nulls',
  filename: 'file_name',
  ignore_errors: 'on_error',
  on_bad_lines: 'on_error',
  charset: 'encoding',
  rowtag: 'row_tag',
  sheet_name: 'sheet',
  method: 'http_method',
  headers: 'http_headers',
  params: 'http_args',
  query_params: 'http_args',
  body: 'http_body',
};

/** Options of the read functions, by name without TRY_. */
export const READ_OPTIONS: Readonly<Record<string, Rules>> = {
  READ: { ...INFERRED, ...CSV, ...XML, ...EXCEL, ...HTTP },
  READ_CSV: { ...INFERRED, ...CSV, ...HTTP },
  READ_JSON: { ...INFERRED, ...HTTP },
  READ_XML: { ...INFERRED, ...XML, ...HTTP },
  READ_PARQUET: { ...ROWS, ...HTTP },
  READ_AVRO: { ...ROWS, ...HTTP },
  READ_EXCEL: { sample_size: SAMPLE, ...ROWS, ...CELLS, ...EXCEL, ...HTTP },
  READ_TEXT: { encoding: ENCODING, ...HTTP },
  READ_LINES: { encoding: ENCODING, ...HTTP },
  READ_BINARY: HTTP,
  DESCRIBE: { ...INFERRED, ...CSV, ...XML, ...EXCEL, ...HTTP },
  LS: {},
  LL: {},
};
