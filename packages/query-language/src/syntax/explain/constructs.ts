import { ownValue } from '../../own-value.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { createDiagnostic } from '../../diagnostics/diagnostic-messages.ts';
import { typeOfSql } from '../../types/types-of-sql.ts';
import type { Fault } from './fault.ts';
import { hasSymbol, openBracket, spanOf, tokensBefore, unsupported, wordAt } from './fault.ts';

const REGEX = 'write MATCHES(s, r"…") for a whole text, FIRST_MATCH(s, r"…") IS NOT NULL for a part';
const RECURSION = 'a query cannot use itself; RANGE(1, 10) counts and REDUCE folds a collection';
const SAMPLE = 'write WHERE RANDOM() < 0.1';
const POSITION = 'write AT i behind the alias, which counts from 0';
const COLLECTION_TYPE = 'write collection(int)';
const VALUES = 'write (VALUES (1), (2)), or [1, 2]';
const BY_NAME = 'write the items of both queries in one order';
const COLUMNS = 'a record is written (a: 1, b: 2)';

/** Constructs that are statements in some systems and sources in others, with the replacement to suggest. */
export const RESHAPING = {
  PIVOT: "write one aggregate for each column, as in SUM(x) FILTER (WHERE k = 'a') AS a",
  UNPIVOT: 'join the fields as rows: FROM t, ENTRIES((a: t.a, b: t.b)) e',
} as const;

/** Constructs of other systems, with the replacement to suggest. One table, long on purpose. */
const CONSTRUCTS: Readonly<Record<string, string>> = {
  ...RESHAPING,
  MATCH_RECOGNIZE: 'compare rows with LAG and LEAD',
  RECURSIVE: RECURSION,
  TABLESAMPLE: SAMPLE,
  SAMPLE,
  TOP: 'write LIMIT at the end',
  PERCENT: 'LIMIT takes a number of rows',
  RLIKE: REGEX,
  REGEXP: REGEX,
  SIMILAR: REGEX,
  GLOB: "write LIKE 'a%'",
  CONTAINS: 'write CONTAINS(s, what)',
  STARTS: 'write STARTS_WITH(s, what)',
  ENDS: 'write ENDS_WITH(s, what)',
  EQUALS: 'write =',
  DIV: 'integers divide with /',
  MOD: 'write %',
  XOR: 'write <>',
  ISNULL: 'write IS NULL',
  NOTNULL: 'write IS NOT NULL',
  ELSEIF: 'write ELSE IF c THEN a ELSE b',
  ELSIF: 'write ELSE IF c THEN a ELSE b',
  ELIF: 'write ELSE IF c THEN a ELSE b',
  SYMMETRIC: 'write BETWEEN LEAST(a, b) AND GREATEST(a, b)',
  OVERLAPS: 'write a.start < b.end AND b.start < a.end',
  PLACING: 'write LEFT(s, 1) || x || SUBSTRING(s, 4)',
  NATURAL: 'write JOIN … USING (name, …)',
  SEMI: 'write WHERE EXISTS(SELECT …)',
  ANTI: 'write WHERE NOT EXISTS(SELECT …)',
  OUTER: 'write LEFT, RIGHT or FULL JOIN',
  APPLY: 'write FROM orders o, o.items i, or LEFT JOIN o.items i',
  ORDINALITY: POSITION,
  LAMBDA: 'a function is written \\(x) -> x + 1',
  STRUCT: COLUMNS,
  ARRAY: 'a collection is written [1, 2]',
  MINUS: 'write EXCEPT',
  RENAME: 'write * EXCLUDE (old), old AS new',
  PREWHERE: 'write WHERE',
  STRAIGHT_JOIN: 'write JOIN',
};

/** Pairs of words that form a construct only together. */
const PAIRS: Readonly<Record<string, string>> = {
  'FOR UPDATE': 'a query locks nothing',
  'WITH OFFSET': POSITION,
  'WITH TIES': 'write QUALIFY RANK() OVER (ORDER BY …) <= n',
  'USING SAMPLE': SAMPLE,
  'UNION BY': BY_NAME,
  'ALL BY': BY_NAME,
  'COUNT DISTINCT': 'write COUNT(DISTINCT x)',
  'START WITH': RECURSION,
  'CONNECT BY': RECURSION,
  'LATERAL VIEW': 'write FROM orders o, o.items i',
  'IS EMPTY': 'write NOT EXISTS(c)',
};

/** A construct that the language does not have, by a word at or near the refused token. */
export function explainConstruct(fault: Fault): Diagnostic | null {
  const { tokens, at } = fault;
  for (const [first, second] of [
    [at, at + 1],
    [at - 1, at],
  ] as const) {
    const pair = `${tokens[first]?.keyword ?? ''} ${tokens[second]?.keyword ?? ''}`;
    const instead = ownValue(PAIRS, pair);
    if (instead !== undefined) return unsupported(fault, first, second, pair, instead);
  }
  const special = explainForm(fault);
  if (special !== null) return special;
  const open = openBracket(fault, at);
  const closed = hasSymbol(fault, at - 1, ')') ? openBracket(fault, at - 1) : -1;
  for (const index of [at, at - 1, open - 1, closed - 1, at + 1]) {
    const word = tokens[index]?.keyword ?? '';
    const instead = hasSymbol(fault, index - 1, '.') ? undefined : ownValue(CONSTRUCTS, word);
    if (instead !== undefined) return unsupported(fault, index, index, word, instead);
  }
  return null;
}

/** What follows EXCLUDE in a frame of SQL. */
const FRAME_EXCLUSIONS: ReadonlySet<string> = new Set(['CURRENT', 'GROUP', 'TIES', 'NO']);
/** `TRIM(BOTH 'x' FROM s)` */
const TRIMMED: ReadonlySet<string> = new Set(['BOTH', 'LEADING', 'TRAILING']);

/** Words before a table, behind which SQL may join tables in brackets. */
const BEFORE_TABLES: ReadonlySet<string> = new Set(['FROM', 'JOIN']);

/** Returns whether a token is the text of a `X'ff'`, which SQL writes for bytes. */
function isTextOfBytes({ tokens, at }: Fault): boolean {
  const [before, text] = [tokens[at - 1], tokens[at]];
  return before?.keyword === 'X' && text?.kind === 'string' && before.span.end === text.span.start;
}

/** Explains constructs recognized by several words. */
function explainForm(fault: Fault): Diagnostic | null {
  const { tokens, at, expected } = fault;
  const [word, before] = [wordAt(fault, 0), wordAt(fault, -1)];
  if (before === 'EXTRACT') return null;
  const closed = hasSymbol(fault, at - 1, ')') ? openBracket(fault, at - 1) : -1;
  const caller = tokens[closed - 1]?.keyword ?? '';
  if (expected === 'THEN' && caller === 'IF') return unsupported(fault, closed - 1, closed - 1, 'IF(c, a, b)', 'write IFF(c, a, b)');
  if (caller === 'EXCEPT' && hasSymbol(fault, closed - 2, '*'))
    return unsupported(fault, closed - 1, closed - 1, '* EXCEPT (…)', 'write * EXCLUDE (name, …)');
  if (caller === 'VALUES') return unsupported(fault, closed - 1, closed - 1, 'VALUES without brackets', VALUES);
  if (word === 'GROUPS' && expected === ')') return unsupported(fault, at, at, 'GROUPS', 'a frame is of ROWS, or of a RANGE of values');
  if (word === 'EXCLUDE' && FRAME_EXCLUSIONS.has(wordAt(fault, 1)))
    return unsupported(fault, at, at, 'EXCLUDE in a frame', 'a frame has all rows between its ends');
  if (TRIMMED.has(before) && tokens[at - 3]?.keyword === 'TRIM')
    return unsupported(fault, at - 1, at - 1, before, 'write TRIM(s), or REPLACE(s, r"^x+|x+$", "")');
  if (word === 'FROM' && tokens[openBracket(fault, at) - 1]?.keyword === 'TRIM')
    return unsupported(fault, at, at, 'FROM in TRIM', 'write TRIM(s), or REPLACE(s, r"^x+|x+$", "")');
  if (isTextOfBytes(fault)) return unsupported(fault, at - 1, at, 'this text of bytes', `write FROM_HEX('ff')`);
  if (word === 'EXCLUDE') return createDiagnostic('missing-word', [spanOf(fault, at)], 'EXCLUDE', 'EXCLUDE (name, …)');
  if (before === 'INTERVAL')
    return unsupported(
      fault,
      at - 1,
      at - 1,
      'this interval',
      'write interval "1 day", or interval 1 day with a unit from year to microsecond',
    );
  if (word === 'DISTINCT')
    return createDiagnostic('missing-word', [spanOf(fault, at)], 'DISTINCT', 'SELECT DISTINCT …, or COUNT(DISTINCT x)');
  const open = openBracket(fault, at);
  if (before === 'WITH' || tokens[open - 2]?.keyword === 'WITH') {
    const start = before === 'WITH' ? at - 1 : open - 2;
    if (word !== 'RECURSIVE') return createDiagnostic('missing-word', [spanOf(fault, start)], 'WITH', 'WITH name AS (SELECT …) SELECT …');
  }
  const isJoin = [0, 1, 2, 3].some((offset) => wordAt(fault, offset) === 'JOIN');
  if (expected === ')' && isJoin && BEFORE_TABLES.has(tokens[open - 1]?.keyword ?? ''))
    return unsupported(fault, open, open, 'a join in brackets', 'write (SELECT * FROM a JOIN b ON …) AS x, or leave the brackets out');
  if (word === 'FOR' && hasSymbol(fault, open, '['))
    return unsupported(fault, at, at, 'FOR in a collection', 'write TRANSFORM(c, \\(x) -> x + 1)');
  if (before === 'INTO' && [...tokensBefore(fault)].some((i) => tokens[i]?.keyword === 'SELECT'))
    return unsupported(fault, at - 1, at - 1, 'INTO', 'a query stores nothing; PUT /views/<name> stores the query itself');
  if (tokens[at]?.kind === 'end' && expected === 'an expression' && closed >= 0)
    return createDiagnostic('missing-word', [spanOf(fault, at)], 'WITH', 'WITH name AS (SELECT …) SELECT …');
  if (hasSymbol(fault, at, '(') && expected === ')') return explainSizedType(fault);
  if (hasSymbol(fault, at, '[') && expected === ')') return unsupported(fault, at, at, 'this type', COLLECTION_TYPE);
  if (hasSymbol(fault, at, '<') && ['ARRAY', 'LIST'].includes(before))
    return unsupported(fault, at - 1, at - 1, `${before}<…>`, COLLECTION_TYPE);
  if ((word === 'ON' || word === 'USING') && isOfCrossJoin(fault))
    return unsupported(fault, at, at, `${word} of a CROSS JOIN`, `write JOIN … ${word}`);
  return null;
}

const MOMENTS: ReadonlySet<string> = new Set(['TIMESTAMP', 'TIME', 'TIMESTAMPTZ', 'INTERVAL']);

/** `number(10, 2)`: a type of another system with a size; `timestamp(3)` */
function explainSizedType(fault: Fault): Diagnostic | null {
  const type = fault.tokens[fault.at - 1];
  if (type !== undefined && MOMENTS.has(type.keyword))
    return unsupported(
      fault,
      fault.at - 1,
      fault.at - 1,
      `a precision of ${type.text}`,
      'it keeps microseconds; TRUNC("second", t) cuts them off',
    );
  const ours = type === undefined ? undefined : typeOfSql(type.text);
  return type === undefined || ours === undefined ? null : createDiagnostic('unknown-type', [type.span], type.text, ours);
}

function isOfCrossJoin(fault: Fault): boolean {
  for (const i of tokensBefore(fault)) {
    if (fault.tokens[i]?.keyword === 'JOIN') return fault.tokens[i - 1]?.keyword === 'CROSS';
  }
  return false;
}
