import { EngineFailure, type EngineFailureClass, type EngineFailureDetails } from './engine-failure.ts';

interface Reading {
  readonly failureClass: EngineFailureClass;
  readonly message: string;
  readonly details?: EngineFailureDetails;
}

interface Rule {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, text: string) => Reading;
}

const INTERNAL = 'the query engine failed';

/**
 * Turns what the engine threw into an EngineFailure, by the start of its message. Nothing of an unknown message is
 * passed on, since it may hold SQL or a path of the server; it stays in `cause`.
 */
export function classifyFailure(thrown: unknown): EngineFailure {
  if (thrown instanceof EngineFailure) return thrown;
  const text = messageOf(thrown);
  for (const rule of RULES) {
    const match = rule.pattern.exec(text);
    if (match === null) continue;
    const { failureClass, message, details } = rule.read(match, text);
    return new EngineFailure(failureClass, message, { line: sqlLine(text), ...details, cause: thrown });
  }
  return new EngineFailure('internal', INTERNAL, { isFatal: /^(FATAL|INTERNAL) Error/.test(text), cause: thrown });
}

/** By shape: an error of native code may belong to another realm. */
function messageOf(thrown: unknown): string {
  const hasMessage = typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string';
  return hasMessage ? String(thrown.message) : String(thrown);
}

/** The line of our SQL text, which the engine gives as `LINE 3: …` below the message. */
function sqlLine(text: string): number | undefined {
  const match = /\n\nLINE (\d+): /.exec(text);
  return match === null ? undefined : Number(match[1]);
}

/** The first line alone: below it the engine quotes SQL, or the settings that might help. */
function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function fixed(pattern: RegExp, failureClass: EngineFailureClass, message: string): Rule {
  return { pattern, read: () => ({ failureClass, message }) };
}

/** The engine's own first line, where all of it comes from the caller's values. */
function ownWords(pattern: RegExp, failureClass: EngineFailureClass): Rule {
  return { pattern, read: (match, text) => ({ failureClass, message: lowerFirst(firstLine(text.slice(match[1]?.length ?? 0))) }) };
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Names of the engine's types, as the language has them. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  INT8: 'byte',
  INT16: 'short',
  INT32: 'int',
  INT64: 'long',
  INT128: 'integer',
  UINT64: 'integer',
  UINT8: 'integer',
  TINYINT: 'byte',
  SMALLINT: 'short',
  INTEGER: 'int',
  BIGINT: 'long',
  HUGEINT: 'integer',
  UBIGINT: 'integer',
  UHUGEINT: 'integer',
  UINT128: 'integer',
  FLOAT: 'float',
  DOUBLE: 'double',
  BOOL: 'bool',
  BOOLEAN: 'bool',
  VARCHAR: 'string',
  BLOB: 'binary',
  JSON: 'any',
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'timestamp',
  'TIMESTAMP WITH TIME ZONE': 'timestamp',
  INTERVAL: 'interval',
};

function typeWord(engineName: string): string {
  const name = engineName.trim();
  if (/^DECIMAL/.test(name)) return 'decimal';
  return TYPE_WORDS[name] ?? 'the expected type';
}

function rangeFailure(value: string, source: string, target: string): Reading {
  // A date is carried as the number of its day.
  if (/^-?\d+-\d\d-\d\d/.test(value)) return { failureClass: 'overflow', message: 'date or time out of range' };
  const isInteger = ['byte', 'short', 'int', 'long', 'integer'].includes(target) && /INT/.test(source);
  return isInteger
    ? { failureClass: 'overflow', message: 'integer overflow' }
    : { failureClass: 'cast', message: `${value} is out of the range of ${target}` };
}

function pastLimit(failureClass: EngineFailureClass, what: string, text: string): Reading {
  const limit = /\/([\d.]+ [KMGT]iB) used\)/.exec(firstLine(text))?.[1];
  return { failureClass, message: `the query needs more ${what} than ${limit === undefined ? '' : `the ${limit} that `}it may use` };
}

/** In order: the first whose pattern matches decides. Each is pinned by a test on a statement that really fails. */
const RULES: readonly Rule[] = [
  fixed(/^(INTERRUPT Error|Interrupted)/, 'interrupted', 'the query was cancelled'),
  {
    pattern: /^Invalid Input Error: (E\d+)(?::([\s\S]*))?$/,
    read: (m) => ({ failureClass: 'user-error', message: m[2] ?? '', details: { errorId: m[1] } }),
  },
  {
    pattern: /^Conversion Error: Could not convert string 'E(\d+)' to /,
    read: (m) => ({ failureClass: 'user-error', message: '', details: { errorId: `E${m[1] ?? ''}` } }),
  },
  {
    pattern: /^Invalid Input Error: READ (csv|json|parquet): ([\s\S]*)$/,
    read: (m) => ({
      failureClass: m[1] === 'csv' ? 'csv' : m[1] === 'json' ? 'json' : 'parquet',
      message: m[2] ?? '',
      details: { sourceColumn: (m[1] === 'json' ? /^([^.[:]*)[.[:]/ : /^column ([\s\S]*?): /).exec(m[2] ?? '')?.[1] },
    }),
  },
  { pattern: /max_temp_directory_size|^IO Error: .*No space left/, read: (_, text) => pastLimit('spool-full', 'spool space', text) },
  fixed(
    /^Parser Error: (?:memory exhausted|Max expression depth limit)|^Binder Error: Max expression depth limit/,
    'too-complex',
    'the query is too large to be run: use fewer sources, or shorter chains of operators',
  ),
  { pattern: /^Out of Memory Error/, read: (_, text) => pastLimit('out-of-memory', 'memory', text) },
  { pattern: /^(?:Conversion|Invalid Input) Error: CSV Error on Line: (\d+)/, read: readCsvError },
  {
    pattern:
      /^Invalid Input Error: (?:CSV Error|The CSV Parser|Error when sniffing|Error in file|It was not possible to automatically detect the CSV)/,
    read: () => ({ failureClass: 'csv', message: 'the file cannot be read as CSV' }),
  },
  fixed(
    /^Binder Error: [A-Z]+ must not appear in the [A-Z]+ specification/,
    'csv',
    'delimiter, quote, escape and nulls must differ, and none may be part of another',
  ),
  {
    pattern: /^Invalid Input Error: JSON transform error in file ("?)([\s\S]*?)\1, in (line|record\/value) (\d+): ([^\n]*)/,
    read: (m) => ({
      failureClass: 'json',
      message: `${placeWord(m[3])} ${m[4] ?? ''}: ${withoutPaths(lowerFirst(m[5] ?? ''))}`,
      details: { sourceLine: Number(m[4]), sourcePath: m[2], line: undefined },
    }),
  },
  {
    pattern: /^Invalid Input Error: Malformed JSON in file ("?)([\s\S]*?)\1, at byte (\d+) in (line|record\/value) (\d+): ([^\n]*)/,
    read: (m) => ({
      failureClass: 'json',
      message: `malformed JSON near ${placeWord(m[4])} ${m[5] ?? ''}: ${withoutPaths(m[6] ?? '').trim()}`,
      details: { sourceLine: Number(m[5]), sourcePath: m[2], line: undefined },
    }),
  },
  fixed(/^Invalid Input Error: (?:"maximum_object_size"|.*maximum_object_size)/, 'json', 'one JSON value is larger than what may be read'),
  {
    pattern: /^Conversion Error: Malformed JSON at byte (\d+) of input: ([^.\n]*)/,
    read: (m) => ({ failureClass: 'cast', message: `malformed JSON at byte ${m[1] ?? ''}: ${m[2] ?? ''}` }),
  },
  fixed(/^Invalid Input Error: JSON/, 'json', 'the file cannot be read as JSON'),
  {
    pattern: /^Invalid Input Error: read_text: could not read content of file '([^\n]*)' as valid UTF-8/,
    read: (m) => ({ failureClass: 'unreadable', message: NOT_UTF8, details: { sourcePath: m[1] } }),
  },
  fixed(
    /^(?:IO Error: (?:No files found|Cannot open file|Could not read|.*No such file)|Permission Error: Cannot access)/,
    'missing-file',
    'the file is not there or may not be read',
  ),
  fixed(/^IO Error: Input is not a GZIP stream/, 'unreadable', 'the file cannot be decompressed'),
  fixed(
    /^(?:Invalid Error: (?:Prefetch registered for bytes outside|don't know what type|invalid TType)|Invalid Input Error: (?:Footer length error|No magic bytes|Failed to read (?:Parquet|metadata)|.*[Pp]arquet)|IO Error: .*[Pp]arquet|IO Error: .*thrift|.*(?:TProtocolException|TTransportException|Snappy|ZSTD|GZIP|decompression failure))/,
    'parquet',
    'the file cannot be read as Parquet',
  ),
  {
    pattern:
      /^(?:Conversion Error|Out of Range Error|Invalid Input Error): Type (\S+) with value ([\s\S]*?) can't be cast (?:because the value is out of range for|to) the destination type (\w+(?:\(\d+,\d+\))?)/,
    read: (m) => rangeFailure(m[2] ?? '', m[1] ?? '', typeWord(m[3] ?? '')),
  },
  {
    pattern: /^Conversion Error: Could not convert string ('[\s\S]*') to ([A-Z0-9_ ]+?(?:\(\d+,\d+\))?)(?: when casting[^\n]*)?(?:\n|$)/,
    read: (m) => ({ failureClass: 'cast', message: `cannot cast ${cut(m[1] ?? '')} to ${typeWord(m[2] ?? '')}` }),
  },
  {
    pattern: /^Conversion Error: Could not convert string "([\s\S]*)" to DECIMAL/,
    read: (m) => ({ failureClass: 'cast', message: `cannot cast '${cut(m[1] ?? '')}' to decimal` }),
  },
  {
    pattern: /^Conversion Error: (?:invalid )?(date|time|timestamp) field (?:format|value out of range): "([\s\S]*?)", expected/,
    read: (m) => ({ failureClass: 'cast', message: `cannot cast '${cut(m[2] ?? '')}' to ${m[1] ?? ''}` }),
  },
  {
    pattern: /^Conversion Error: (date|time|timestamp) field value out of range: "([\s\S]*?)"/,
    read: (m) => ({ failureClass: 'cast', message: `cannot cast '${cut(m[2] ?? '')}' to ${m[1] ?? ''}` }),
  },
  {
    pattern: /^Conversion Error: Could not cast value ([\s\S]*?) to DECIMAL/,
    read: (m) => ({ failureClass: 'cast', message: `${cut(m[1] ?? '')} is out of the range of decimal` }),
  },
  {
    pattern:
      /^(?:Out of Range Error|Conversion Error): (?:(?:Date|Timestamp|Time|Interval)[^\n]* out of (?:range|bounds)|[^\n]*(?:not in|overflows) timestamp range|Unable to convert TIMESTAMPTZ)/,
    read: () => ({ failureClass: 'overflow', message: 'date or time out of range' }),
  },
  fixed(
    /^Out of Range Error: (?:Overflow|Cannot (?:add|subtract|negate))[^\n]*(?:DATE|TIMESTAMP|INTERVAL|interval|date|timestamp)/,
    'overflow',
    'date or time out of range',
  ),
  fixed(
    /^(?:Out of Range Error|Conversion Error): (?:Overflow[^\n]*DECIMAL|Casting value "[^"]*" to type DECIMAL)/,
    'overflow',
    'decimal overflow',
  ),
  fixed(/^(?:Out of Range Error|Conversion Error): (?:Overflow|SUM is out of range)/, 'overflow', 'integer overflow'),
  fixed(/^Out of Range Error: (?:STDDEV|VARIANCE|VAR)/i, 'overflow', 'the result is out of range'),
  fixed(/^(?:Out of Range Error|Invalid Input Error): [^\n]*[Dd]ivision by zero/, 'division-by-zero', 'division by zero'),
  ownWords(/^(Out of Range Error: )cannot take /, 'overflow'),
  fixed(/^Out of Range Error: Cannot create a string of size/, 'overflow', 'a string is too long'),
  {
    pattern: /^Invalid Input Error: Could not parse string "([\s\S]*?)" according to format specifier/,
    read: (m) => ({ failureClass: 'cast', message: `'${cut(m[1] ?? '')}' does not fit the template` }),
  },
  {
    pattern: /^(?:Not implemented|Invalid Input) Error: Unknown TimeZone '([^'\n]*)'/,
    read: (m) => ({ failureClass: 'cast', message: `unknown time zone '${m[1] ?? ''}'` }),
  },
  fixed(/^Conversion Error: Failure in decode/, 'cast', 'bytes that are not UTF-8'),
  fixed(/^Conversion Error: Could not decode string "[\s\S]*" as base64/, 'cast', 'not base64'),
  fixed(/^Invalid Input Error: Invalid input for hex digit/, 'cast', 'not hexadecimal'),
  fixed(/^Invalid Input Error: Invalid UTF8 Codepoint/, 'cast', 'no such code point'),
  fixed(
    /^(?:Conversion Error|Invalid Input Error|Out of Range Error): (?:Unimplemented type for cast|Failed to cast|Could not (?:convert|cast)|Casting)/,
    'cast',
    'the value cannot be converted',
  ),
];

function placeWord(engineWord: string | undefined): string {
  return engineWord === 'line' ? 'line' : 'element';
}

/** Said of a file of text. */
export const NOT_UTF8 = 'bytes that are not UTF-8: encoding := "…" says what they are';

function readCsvError(match: RegExpExecArray, text: string): Reading {
  const sourceLine = Number(match[1]);
  const sourcePath = /\n {2}file = ([^\n]*)\n/.exec(text)?.[1];
  const conversion = /\nError when converting column "([^\n]*)"\. Could not convert string "([\s\S]*?)" to '([^'\n]*)'/.exec(text);
  if (conversion !== null) {
    const sourceColumn = conversion[1] ?? '';
    const message = `line ${sourceLine}, column ${sourceColumn}: '${cut(conversion[2] ?? '')}' is no ${typeWord(conversion[3] ?? '')}`;
    return { failureClass: 'csv', message, details: { sourceLine, sourceColumn, sourcePath, line: undefined } };
  }
  if (/\nInvalid unicode/.test(text))
    return { failureClass: 'csv', message: `line ${sourceLine}: ${NOT_UTF8}`, details: { sourceLine, sourcePath, line: undefined } };
  const columns = /\nExpected Number of Columns: (\d+) Found: (\d+)/.exec(text);
  const what = columns !== null ? `expected ${columns[1] ?? ''} columns but found ${columns[2] ?? ''}` : 'the line cannot be read as CSV';
  return { failureClass: 'csv', message: `line ${sourceLine}: ${what}`, details: { sourceLine, sourcePath, line: undefined } };
}

/** Values of a caller can be long: a message needs their start only. */
function cut(text: string): string {
  const points = [...text.slice(0, 400)];
  return points.length > 100 ? `${points.slice(0, 100).join('')}…` : text;
}

function withoutPaths(text: string): string {
  return text.replace(/"?\/[^\s"]*\/[^\s"]*"?/g, '…');
}
