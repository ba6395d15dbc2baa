import { ownValue } from '../own-value.ts';
import type { Span } from '../text/span.ts';
import type { Diagnostic } from './diagnostic.ts';

/** Maximum length of a type in a message, in characters. */
const MOST_OF_TYPE = 200;
/** Maximum length of the text of a date, time, timestamp or interval. */
export const MOST_TEMPORAL_CHARACTERS = 1000;

function cut(type: string): string {
  return type.length > MOST_OF_TYPE ? `${[...type].slice(0, MOST_OF_TYPE).join('')}…` : type;
}

/** Conversions to suggest, by the types of what is there and of what is expected. */
const CONVERSIONS: Readonly<Record<string, string>> = {
  'string binary': 'write ENCODE(…)',
  'binary string': 'write DECODE(…)',
  'string interval': 'write interval "1 day", or CAST(… AS interval)',
  'string date': 'write CAST(… AS date)',
  'string time': 'write CAST(… AS time)',
  'string timestamp': 'write CAST(… AS timestamp)',
};

/** Suggests the conversion of an `any` or a text; empty for other types. */
function conversionOf(found: string, wanted: string): string {
  const isAny = found === 'any' || found === 'any nullable';
  // The expected type may be a class of types, of which this is a member.
  const type = wanted.startsWith('a value ') ? 'string' : wanted.replace(/ nullable$/, '').replace(/^(?:number|integer)$/, 'double');
  if (isAny) return `: write CAST(… AS ${type}), or another type that it has`;
  const conversion = ownValue(CONVERSIONS, `${found.replace(/ nullable$/, '')} ${type}`);
  return conversion === undefined ? '' : `: ${conversion}`;
}

/** A row of a query with an item that has no name. */
function unnamedItem(type: string): string {
  return itemWithoutName(/[(, ](_\d+): /.exec(type)?.[1] ?? null);
}

function itemWithoutName(unnamed: string | null): string {
  return unnamed === null ? '' : `; the item without a name is ${unnamed}: AS gives it one`;
}

/** Hint that the field may occur in rows beyond the sample. */
function ofSample(rows: number | null): string {
  if (rows === null) return '';
  return `; the fields were found in the first ${rows === 1 ? 'row' : `${rows} rows`} of the data: sample_size := -1 looks at all`;
}

/** Hints for an unknown name: an item without a name, a field beyond the sampled rows, or of the elements of rows that are collections. */
interface NameHint {
  readonly unnamed: string | null;
  readonly sampledRows: number | null;
  readonly isOfElements: boolean;
}

function hinted(hint: NameHint | undefined): string {
  if (hint === undefined) return '';
  if (hint.isOfElements) return ': it is a field of the elements of rows that are collections; FROM FLATTEN(…) has them as rows';
  return itemWithoutName(hint.unnamed) + ofSample(hint.sampledRows);
}

/** All message texts of diagnostics, by code. One table, long on purpose. */
const DIAGNOSTIC_MESSAGES = {
  // text and grammar
  'unexpected-token': (found: string, expected: string) => `found ${found}, expected ${expected}`,
  'misspelt-keyword': (found: string, keyword: string) => `${found}: did you mean ${keyword}?`,
  'missing-word': (found: string, whole: string) => `${found} is written ${whole}`,
  'unsupported-construct': (what: string, instead: string) => `${what} is not supported: ${instead}`,
  'chained-comparison': () => 'comparisons do not chain: write a < x AND x < b',
  'found-instead': (found: string, instead: string) => `found ${found}: ${instead}`,
  'clause-order': (clause: string, later: string) =>
    `${clause} stands before ${later}: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT`,
  'repeated-clause': (clause: string) =>
    `a SELECT has one ${clause}${clause === 'WHERE' || clause === 'HAVING' ? ': join conditions with AND' : ''}`,
  'second-query': () => 'a program is one query: write UNION ALL between two SELECTs, or put one in parentheses',
  'after-the-query': (clause: string, isQuery: boolean) =>
    isQuery
      ? 'a program is one query: declare values before it as name := (SELECT …);'
      : `${clause} belongs to the query before the semicolon`,
  'unexpected-sign': (sign: string, instead: string) => `unexpected ${sign}: ${instead}`,
  'unexpected-character': (character: string) => `unexpected character ${character}`,
  unterminated: (what: string, advice: string | null = null) => `${what} is not closed${advice === null ? '' : `: ${advice}`}`,
  'bad-escape': (escape: string, isRegex: boolean) =>
    `unknown escape ${escape}: write \\${escape}, or ${isRegex ? 'r' : ''}"""…""" where a backslash stands for itself`,
  'bad-unicode-escape': (escape: string) => `${escape} is no character: expected \\uHHHH or \\u{H…}`,
  'unpaired-surrogate': () => 'this text holds half a character (an unpaired surrogate)',
  'empty-quoted-name': () => 'a name in back-ticks cannot be empty',
  'number-too-large': () => 'number too large',
  'bad-number': (text: string) =>
    `${text} is not a number${/^\d+[a-z_]{2}/i.test(text) ? `; as a name it stands in back-ticks: \`${text}\`` : ''}`,
  'select-in-list': () => 'a SELECT beside other arguments or fields needs parentheses of its own: (SELECT …)',
  'too-many-tokens': (limit: number) => `more than ${limit} words and signs`,
  'nested-too-deeply': (limit: number) => `nested more than ${limit} levels deep`,
  'empty-program': () => 'found the end of the text, expected an expression',
  'result-expected': () => 'found the end of the text, expected an expression after the declarations',

  // names
  'unknown-name': (name: string, suggestion: string | null, hint?: NameHint) =>
    `${name} is not declared${suggestion === null ? hinted(hint) : `, did you mean ${suggestion}?`}`,
  'unknown-source': (name: string, suggestion: string | null) =>
    `${name} is not declared${suggestion === null ? ': no view or table has this name; READ("…") reads a file or a URL' : `, did you mean ${suggestion}?`}`,
  'function-of-sql': (name: string, advice: string) => `${name} is not declared: ${advice}`,
  'call-of-sql': (name: string, advice: string) => `${name} takes other arguments here: ${advice}`,
  'unknown-type': (name: string, suggestion: string | null) =>
    `${name} is not a type${suggestion === null ? '' : `, did you mean ${suggestion}?`}${suggestion === 'any' ? ' PARSE_JSON(s) reads a text as one' : ''}`,
  'declared-twice': (name: string) => `${name} is declared more than once`,
  'ambiguous-name': (name: string) => `${name} is ambiguous`,
  'field-and-parameter': (name: string, field: string | null) =>
    `${name} is a field and a parameter: ${field === null ? 'name the source with AS to write its field' : `write ${field} for the field`}, or rename the parameter`,
  'recursive-function': () => 'recursive functions are not supported',
  'defined-by-itself': (name: string) => `${name} is defined in terms of itself`,
  'no-such-field': (name: string, type: string, suggestion: string | null = null, sampledRows: number | null = null) =>
    `${name} is not a field of ${cut(type)}${suggestion === null ? unnamedItem(type) + ofSample(sampledRows) : `, did you mean ${suggestion}?`}`,
  'package-not-found': (name: string, suggestion: string | null) =>
    `package ${name} does not exist${suggestion === null ? '' : `, did you mean ${suggestion}?`}`,
  'package-imports-itself': (name: string, trail: string) => `package ${name} imports itself: ${trail}`,
  'package-invalid': (name: string, cause: string) => `package ${name} cannot be used: ${cause}`,
  'view-uses-itself': (name: string, trail: string) => `view ${name} uses itself: ${trail}`,
  'transform-expected': (parameters: string, found: string) => `a transform is a function of (${parameters}), found ${found}`,
  'transform-parameter': (number: number, expected: string, found: string) =>
    `parameter ${number} of a transform is of type ${expected}, found ${found}`,
  'transform-result': (found: string) => `the result of a transform is a record, found ${found}`,
  'view-is-function': () => 'a view cannot end in a function',
  'view-invalid': (name: string, cause: string) => `view ${name} cannot be used: ${cause}`,
  'view-type-changed': (name: string, was: string, is: string) => `view ${name} was ${was} when it was saved and is ${is} now`,

  // types
  'type-mismatch': (expected: string, found: string, suggestion: string | null) =>
    `expected ${cut(expected)} but got ${cut(found)}${suggestion === null ? conversionOf(found, expected) : `; did you mean ${suggestion}?`}`,
  'argument-type': (expected: readonly string[], found: string, suggestion: string | null) =>
    (expected.length > 1
      ? `expected either ${expected.slice(0, -1).join(', ')} or ${expected.at(-1) ?? ''} but got ${cut(found)}`
      : `expected ${cut(expected[0] ?? 'another type')} but got ${cut(found)}`) +
    (suggestion === null
      ? conversionOf(found, expected.includes('timestamp') ? 'timestamp' : (expected.at(-1) ?? ''))
      : `; did you mean ${suggestion}?`),
  'incompatible-types': (a: string, b: string, suggestion: string | null = null) =>
    `incompatible types: ${cut(a)} and ${cut(b)}${suggestion === null ? '' : `; did you mean ${suggestion}?`}`,
  'different-rows': (a: string, b: string, difference: string) => `incompatible types: ${cut(a)} and ${cut(b)}: ${difference}`,
  'not-numeric': (operator: string, found: string, suggestion: string | null) =>
    `${operator} needs a number but got ${cut(found)}${suggestion === null ? conversionOf(found, 'double') : `; did you mean ${suggestion}?`}`,
  'query-never-null': (isNegated: boolean) =>
    `a query of rows is never NULL: write ${isNegated ? '' : 'NOT '}EXISTS(SELECT …), or CFIRST(SELECT …) IS ${isNegated ? 'NOT ' : ''}NULL for its first row`,
  'joined-collections': () => '|| joins texts: write a ++ b for collections, and c ++ [x] to append an element',
  'not-comparable': (type: string) => `values of ${cut(type)} cannot be compared${conversionOf(type, 'string')}`,
  'not-orderable': (type: string) => `values of ${cut(type)} have no order${conversionOf(type, 'string')}`,
  'not-a-key': (type: string) => `values of ${cut(type)} cannot be grouped by${conversionOf(type, 'string')}`,
  'one-item-expected': (a: string, b: string) => `incompatible types: ${cut(a)} and ${cut(b)}: a query after IN has one item`,
  'tuple-size': (tuple: number, row: number) => `${tuple} values are compared with rows of ${row} fields`,
  'record-expected': (found: string) => `expected a record or a collection of records but got ${cut(found)}`,
  'collection-expected': (found: string, suggestion: string | null = null) =>
    `expected a collection but got ${cut(found)}${suggestion === null ? conversionOf(found, 'collection(any)') : `; did you mean ${suggestion}?`}`,
  'impossible-cast': (from: string, to: string) => `${cut(from)} cannot be cast to ${cut(to)}`,
  'bad-temporal': (type: string, text: string) =>
    `'${text.slice(0, 100)}${text.length > 100 ? '…' : ''}' is not ${type === 'interval' ? 'an' : 'a'} ${type}${
      text.length > MOST_TEMPORAL_CHARACTERS ? `: it has more than ${MOST_TEMPORAL_CHARACTERS} characters` : ''
    }`,
  'sized-decimal': () => 'a precision and a scale may stand only in CAST: the type is decimal',
  'bad-sizes': () => 'a decimal has a precision of 1 to 38 digits, of which up to 18, and no more than the precision, are its scale',
  'too-many-fields': (count: number, most: number) => `a record type has at most ${most} fields, and this one has ${count}`,
  'unknown-time-zone': (name: string) => `unknown time zone '${name}'`,
  'invalid-regex': (problem: string) => `invalid regular expression: ${problem}`,
  'repeated-field': (name: string) => `record has more than one field with the same name: ${name}`,
  'mixed-record-fields': () => 'either all fields of a record have a name or none',
  'repeated-item': (name: string) => `more than one item is named ${name}: give one another name with AS`,

  // functions
  'function-expected': (found: string) => `function expected but got ${found}`,
  'function-as-data': () => 'a function cannot be part of data',
  'builtin-not-known': (name: string, unnamed: string | null = null) =>
    unnamed === null
      ? `${name} is a function: call it, or pass it where a function is expected`
      : `${name} is a function${itemWithoutName(unnamed)}`,
  'bare-value': (name: string, source: string, type: string) =>
    `${name} is not a field of ${cut(type)}: each row of ${source} is one value; AS gives the item of a query a name`,
  'function-as-result': () => 'a query that ends in a function cannot give a function as its result',
  'default-before-parameter': (name: string) => `parameter ${name} needs a default, since one before it has one`,
  'function-not-known': () => 'which function this is must be known when the program is checked',
  'parameter-type-needed': (name: string) => `the type of parameter ${name} is needed`,
  'argument-count': (expected: string, found: number) => `expected ${expected} arguments but got ${found}`,
  'missing-arguments': (names: readonly string[]) => `missing mandatory arguments: ${names.join(', ')}`,
  'unknown-argument': (name: string) => `unknown argument: ${name}`,
  'argument-after-named': () => 'an argument without a name cannot stand after one with a name',
  'function-as-argument': (name: string) => `parameter ${name} is a function: what is given to a query is data`,
  'argument-given-twice': (name: string) => `argument ${name} is given more than once`,
  'no-overload': (types: readonly string[]) => `no function of this name takes (${types.join(', ')})`,
  'ambiguous-call': () => 'more than one function of this name fits',
  'argument-invalid': (name: string, type: string, detail: string | null) =>
    `argument ${name} cannot be cast to ${type}${detail === null ? '' : `: ${detail}`}`,
  'not-an-aggregate': (name: string) => `${name} is not an aggregate: DISTINCT, ORDER BY and FILTER have no meaning in it`,
  'not-a-window': (name: string) => `${name} is neither an aggregate nor a window function: OVER has no meaning in it`,
  'unknown-window': (name: string, suggestion: string | null) =>
    `${name} is no window of this SELECT${suggestion === null ? ': WINDOW w AS (…) names one' : `, did you mean ${suggestion}?`}`,
  'window-says-again': (name: string) => `the window ${name} says this already`,
  'distinct-on-and-qualify': () => 'DISTINCT ON and QUALIFY cannot stand in one SELECT: put one of them into a SELECT in FROM',
  'window-needed': (name: string, aggregate: string | null = null) =>
    `${name} needs OVER (…)${aggregate === null ? '' : `; an aggregate is ${aggregate}(x ORDER BY y), which skips NULL`}`,
  'distinct-order': (name: string) => `${name} of DISTINCT values can be ordered only by the value itself`,
  'order-in-window': (name: string) => `${name} with OVER takes no ORDER BY of its own: write it in OVER (…)`,
  'distinct-in-window': (name: string) => `${name} with OVER takes no DISTINCT`,
  'whole-partitions': (name: string) =>
    `${name} with OVER takes PARTITION BY, and neither ORDER BY nor a frame: of a frame, take it of a list, as in { l := COLLECT(x) OVER (…); (SELECT ${name}(x) FROM l x) }`,
  'window-of-elements': () =>
    'a window function of a SELECT cannot stand in a function of elements: give its value a name before, as in { w := SUM(x) OVER (); TRANSFORM(c, \\(e) -> e + w) }',
  'misplaced-window': () => 'a window function may stand only in the items, QUALIFY and ORDER BY of a SELECT: QUALIFY keeps rows by one',
  'window-of-one-group': () => 'a window over the one group of all rows has no meaning: GROUP BY is needed',
  'frame-backwards': () => 'a frame begins before it ends: no row is in this one',
  'negative-frame': () => 'the offset of a frame must not be negative',
  'range-of-order': () => 'RANGE with an offset needs ORDER BY of one number, date or timestamp, and counts times in intervals',
  'key-never-null': () =>
    'this key is NULL where it is rolled up, but is never NULL by itself: compute it in a SELECT that is the source of this one',
  'rolled-up-constant': () => 'a constant is no key of a grouping that leaves it out: it is the same in all rows',
  'not-a-group-key': () => 'GROUPING takes keys of GROUP BY, as they are written there',
  'misplaced-grouping': () => 'GROUPING may stand only in the items, HAVING and ORDER BY of a SELECT with GROUP BY',
  'ignores-nulls': (name: string) =>
    `${name} takes no IGNORE NULLS, which goes with LAG, LEAD, FIRST_VALUE, LAST_VALUE and NTH_VALUE: write FILTER (WHERE x IS NOT NULL)`,
  'not-in-try': (what: string, instead: string) => `TRY cannot hold ${what}: ${instead}`,
  'constant-needed': (what: string) => `${what} must be constant`,
  'bad-constant': (problem: string) => problem,
  'type-needed': () => 'the type must be given with AS: it cannot be found out here',
  'unknown-option': (name: string, known: string, suggestion: string | null) =>
    `unknown option: ${name}${suggestion === null ? '' : `, did you mean ${suggestion}?`}${suggestion === null ? `, expected one of ${known}` : ''}`,
  'compared-option': (name: string) => `an option is written ${name} := value`,
  'no-options': (functionName: string, name: string) => `unknown option: ${name}, ${functionName} takes none`,
  'repeated-option': (name: string) => `option ${name} is given more than once`,
  'bad-option': (name: string, expected: string, found: string, suggestion: string | null) =>
    `option ${name} must be ${expected} but got ${found}${suggestion === null ? '' : `, did you mean "${suggestion}"?`}`,
  'no-type-taken': (functionName: string) => `${functionName} takes no AS: its type is fixed`,
  'read-failed': (problem: string) => problem,

  // endpoints of a package
  'unknown-annotation': (name: string, known: string) => `@${name} is not an annotation, expected one of ${known}`,
  'misplaced-annotation': (name: string) => `@${name} may stand only before a public function of a package`,
  'endpoint-path': (problem: string) => `the path of an endpoint ${problem}`,
  'endpoint-parameter': (name: string, problem: string) => `parameter ${name} of an endpoint ${problem}`,
  'endpoint-result': (type: string) => `an endpoint cannot answer ${type}`,
  'endpoint-twice': (endpoint: string) => `the package has more than one endpoint ${endpoint}`,

  // SELECT
  'star-outside-select': () => '* has a meaning only in a SELECT',
  'star-in-sources': () => '* has no meaning in FROM and ON of its own SELECT, whose rows they make',
  'star-without-from': () => '* needs a FROM: without one there is a row without fields',
  'too-many-columns': (given: number, count: number) => `${given} names are given to ${count === 1 ? 'one field' : `${count} fields`}`,
  'misplaced-unnest': () => 'UNNEST may stand only in FROM: FROM orders o, UNNEST(o.items) AS i',
  'ungrouped-name': (name: string) => `${name} is neither grouped nor aggregated`,
  'ungrouped-beside': (name: string, aggregate: string) =>
    `${name} is neither grouped nor aggregated: ${aggregate} makes one row of all rows; add GROUP BY${
      aggregate === 'COUNT' ? ', or write LEN(c) for the number of elements of a collection' : ''
    }`,
  'item-not-seen': (name: string) =>
    `${name} is an item, and WHERE, ON and other items do not see items: repeat its expression, or put this SELECT into FROM`,
  'misplaced-aggregate': (name: string) =>
    `${name} may stand only in the items, HAVING and ORDER BY of a SELECT: HAVING filters groups, and WHERE can compare with (SELECT ${name}(…) FROM …)`,
  'nested-aggregate': (name: string) => `${name} cannot stand in the argument of another aggregate`,
  'aggregate-of-collections': (name: string, instead: string) => `${name} over collections is not defined: did you mean ${instead}?`,
  'field-in-quotes': (name: string) =>
    `"${name}" is a text here, and a field has that name: write \`${name}\` for the field, or '${name}' for the text`,
  'not-an-item': () => 'with DISTINCT, ORDER BY may use only the items of the SELECT',
  'bound-of-one-value': () => 'without GROUP BY an aggregate query gives one value: LIMIT may be a number from 1 here, and OFFSET 0',
  'bound-by-row': () => 'LIMIT and OFFSET cannot use the rows of their own SELECT',
  'asof-condition': () =>
    'ASOF JOIN needs ON with one comparison by <, <=, > or >= and any number of equalities, each between a value of the left and one of the right: ON a.k = b.k AND a.t >= b.t',
  'stands-alone': (join: string) => `what stands on the right of ${join} JOIN cannot use the sources before it`,
  'join-condition-needed': (join: string) =>
    `${join} of what does not use the sources before it needs ON or USING; CROSS JOIN gives all pairs`,
  'no-such-item': (position: string, count: number) => `there is no item ${position}: the SELECT has ${count}`,

  // the whole
  'not-supported-yet': (what: string) => `not supported yet: ${what}`,
  'program-too-large': (limit: number) => `the program is too large: it has more than ${limit} parts`,
  'calls-too-large': (limit: number) => `the program is too large: its calls of functions expand to more than ${limit} parts`,
  'type-too-large': (limit: number) => `the program is too large: a type in it has more than ${limit} parts`,
} as const satisfies Record<string, (...details: never[]) => string>;

/** Code of a diagnostic. */
export type DiagnosticCode = keyof typeof DIAGNOSTIC_MESSAGES;
/** Parameters of a diagnostic's message. */
export type DiagnosticArguments<C extends DiagnosticCode> = Parameters<(typeof DIAGNOSTIC_MESSAGES)[C]>;

/** A diagnostic with its text. */
export function createDiagnostic<C extends DiagnosticCode>(
  code: C,
  spans: readonly Span[],
  ...details: DiagnosticArguments<C>
): Diagnostic {
  const build = DIAGNOSTIC_MESSAGES[code] as (...values: DiagnosticArguments<C>) => string; // the table's own signature for this code
  return { code, message: build(...details), spans };
}
