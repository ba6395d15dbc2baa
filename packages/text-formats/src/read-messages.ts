import type { PrimitiveName } from '@svc/query-language';

const MEGABYTE = 1_000_000;

/** Messages about faults in the data of a source, for the author of the query. Place and file stand before them. */
export const READ_MESSAGES = {
  missingFile: 'the file is not there or may not be read',
  notDecompressed: 'the file cannot be decompressed',
  notUtf8: 'bytes that are not UTF-8: encoding := "…" says what they are',
  textNotUtf8: (value: string) => `the text '${value}' in the file is not UTF-8`,
  encrypted: 'the file is encrypted, and encrypted files are not read',
  notOfFormat: (format: 'CSV' | 'JSON' | 'Parquet') => `the file cannot be read as ${format}`,
  unlikeLineEnds: 'the file cannot be read as CSV: do all its lines end alike, in LF or in CRLF?',
  absent: 'missing or null, and the type is not nullable',
  misfit: (value: string, typeName: string) => `'${value}' is no ${typeName}`,
  beyondSample: (value: string) =>
    `'${value}' has more digits than the numbers in the sample that the type comes from: sample_size := -1 looks at all of the data`,
  misfitForStorage: (name: PrimitiveName, found: string) => `expected ${STORED[name]}, found ${found}`,
  wrongKind: (expected: string, found: string) => `expected ${expected} but got ${found}`,
  unknownMember: (name: string) =>
    `the member ${name} is not in the sample that the type comes from: sample_size := -1 looks at all of the data`,
  unknownField: (name: string, known: readonly string[]) => `${name}: the table has no such field (known: ${known.join(', ') || 'none'})`,
  noCellType: (typeName: string) => `csv cannot hold ${typeName}: send JSON lines`,
  malformedJson: (reason: string) => `malformed JSON: ${reason}`,
  largeJson: 'one JSON value is larger than what may be read',
  longLine: (line: string, mostBytes: number) => `${line} is longer than ${Math.floor(mostBytes / MEGABYTE)} MB`,
  someLongLine: 'a line is longer than a line may be',
  columnCount: (expected: string, found: string) => `expected ${expected} columns but found ${found}`,
  openQuote: 'a quoted cell does not end, or there is text after the closing quote',
  notCsvLine: 'the line cannot be read as CSV',
  equalDelimiters: 'delimiter, quote, escape and nulls must differ, and none may be part of another',
} as const;

/** Description of the values of each type, for messages about rows to be stored. */
const STORED = {
  byte: 'byte (an integer from -128 to 127)',
  short: 'short (an integer from -32768 to 32767)',
  int: 'int (an integer from -2147483648 to 2147483647)',
  long: 'long (an integer of 64 bits)',
  float: 'float (a number in its range, NaN, Infinity or -Infinity)',
  double: 'double (a number in its range, NaN, Infinity or -Infinity)',
  decimal: 'decimal (at most 20 digits before and 18 after the point)',
  bool: 'bool (true or false)',
  string: 'string',
  regex: 'regex',
  date: 'date (such as 2024-02-29)',
  time: 'time (such as 23:59:59.999)',
  timestamp: 'timestamp (such as 2024-02-29T23:59:59.999)',
  interval: 'interval (such as P1Y2M3DT4H5M6.007S)',
  binary: 'binary (bytes in base64)',
} as const satisfies Record<PrimitiveName, string>;
