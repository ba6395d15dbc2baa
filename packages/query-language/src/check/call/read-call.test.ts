import { parseProgram } from '../../syntax/parse.ts';
import { checkProgram } from '../check-program.ts';
import type { ReadNeed } from '../environment.ts';
import { checkText, plainEnvironment, typeOrFaults } from '../testing/plain-environment.ts';

/** Returns the type of a program, or its diagnostics. A location spells the type of its source; `gone:…` does not exist. */
const check = (text: string) => typeOrFaults(text, checkText(text));

/** Returns the read needs of a program. */
function needsOf(text: string, args: ReadonlyMap<string, string> | null = null): readonly Omit<ReadNeed, 'kind' | 'key'>[] {
  const { tree } = parseProgram(text);
  if (tree === null) throw new Error(`errors of syntax in: ${text}`);
  const { needs } = checkProgram(tree, { ...plainEnvironment({}), findRead: () => undefined }, { arguments: args });
  return needs.flatMap((need) => {
    if (need.kind !== 'read') return [];
    const { kind: _, key: __, ...wanted } = need;
    return [wanted];
  });
}

test.each([
  ['READ("collection(int)")', 'collection(int)'],
  ['TRY_READ("collection(int)")', 'collection(int) nullable'],
  ['TRY_READ("gone:x")', 'any nullable'],
  ['TRY_READ("gone:x" AS collection(int))', 'collection(int) nullable'],
  ['READ("coll" + "ection(int)")', 'collection(int)'],
  ['place := "collection"; READ(place || "(int)")', 'collection(int)'],
  ['f(t: string) := READ("collection(" + t + ")" AS collection(int)); f("int")', 'collection(int)'],
  ['f(t: string) := READ("collection(" + t + ")"); f("int")', 'collection(int)'],
  ['f(t: string) := READ("collection(" + t + ")"); 1', 'int'],
  ['READ("int", skip := { x := 1; x })', 'int'],
  ['\\(t: string) -> READ(t AS int)', '(t: string) -> int'],
  ['\\(t: string) -> TRY_READ(t AS int)', '(t: string) -> int nullable'],
  ['\\(t: string) -> READ_TEXT(t)', '(t: string) -> string'],
  ['\\(t: string) -> TRY_READ_LINES(t)', '(t: string) -> collection(string) nullable'],
  ['\\(t: string) -> READ_BINARY(t)', '(t: string) -> binary'],
  ['\\(t: string) -> LS(t)', '(t: string) -> collection(string)'],
  ['\\(t: string) -> LL(t)', '(t: string) -> collection(record(url: string, size: long nullable, modified: timestamp nullable))'],
  [
    '\\(t: string) -> DESCRIBE(t)',
    '(t: string) -> record(format: string, comment: string, type: string, columns: collection(record(col_name: string nullable, type: string, nullable: bool)), is_collection: bool, sampled: bool)',
  ],
])('%s has the type of what is read', (text, expected) => {
  expect(check(text)).toBe(expected);
});

test.each([
  ['READ()', ['1:1-1:5 missing mandatory arguments: location']],
  ['READ(location := "int")', ['1:1-1:5 missing mandatory arguments: location']],
  ['READ(1)', ['1:6-1:7 expected string but got int']],
  ['READ("int", "int")', ['1:1-1:5 expected 1 arguments but got 2']],
  ['READ("gone:x")', ['1:1-1:15 path not found: gone:x']],
  ['READ(zz, quote := yy)', ['1:6-1:8 zz is not declared', '1:19-1:21 yy is not declared']],
  ['SELECT READ(x) FROM ["int"] x', ['1:13-1:14 the location must be constant']],
  ['READ(USER())', ['1:6-1:12 the location must be constant']],
  ['SELECT READ("int", quote := x) FROM ["a"] x', ['1:29-1:30 option quote must be constant']],
  ['READ("int", SEP := ";")', ['1:13-1:16 unknown option: sep, did you mean delimiter?']],
  ['READ_JSON("int", ignore_errors := TRUE)', ['1:18-1:31 unknown option: ignore_errors, did you mean on_error?']],
  ['READ("int", delim = ";")', ['1:13-1:18 an option is written delimiter := value']],
  ['READ("int", quote = ";", escape := 1)', ['1:13-1:18 an option is written quote := value']],
  ['READ("int", qoute := "a")', ['1:13-1:18 unknown option: qoute, did you mean quote?']],
  [
    'READ_JSON("int", quote := "a")',
    [
      '1:18-1:23 unknown option: quote, expected one of sample_size, encoding, on_error, file_name, http_method, http_headers, http_args, http_body, cache',
    ],
  ],
  [
    'READ_BINARY("int", quote := "a")',
    ['1:20-1:25 unknown option: quote, expected one of http_method, http_headers, http_args, http_body, cache'],
  ],
  ['LS("int", on_error := "skip")', ['1:11-1:19 unknown option: on_error, LS takes none']],
  ['READ("int", constructor := 1)', [expect.stringMatching(/^1:13-1:24 unknown option: constructor, expected one of/)]],
  ['READ("int", quote := "a", QUOTE := "b")', ['1:27-1:32 option quote is given more than once']],
  ['READ_TEXT("int" AS string)', ['1:11-1:16 READ_TEXT takes no AS: its type is fixed']],
  ['READ(CAST(NULL AS string))', ['1:6-1:26 the location must be constant']],
  ['READ("record(a" || CAST(1.5 AS string) || ": int)")', ['1:6-1:51 the location must be constant']],
  ['READ(CAST(CAST("1" AS int) AS string))', ['1:6-1:38 the location must be constant']],
  ['READ("int", sample_size := "1")', ['1:28-1:31 option sample_size must be a number of rows, or -1 for all but got "1"']],
  ['READ(NULL)', ['1:6-1:10 the location must be constant']],
  ['TRY_LS("int")', ['1:1-1:7 TRY_LS is not declared']],
  ['READ_EXCEL("int", delimiter := ";")', [expect.stringContaining('unknown option: delimiter')]],
  ['READ("int" AS foo)', ['1:15-1:18 foo is not a type']],
  ['READ("int", sample_size := 0)', ['1:28-1:29 option sample_size must be a number of rows, or -1 for all but got 0']],
  ['READ("int", sample_size := 1.5)', ['1:28-1:31 option sample_size must be a number of rows, or -1 for all but got 1.5']],
  ['READ("int", skip := -1)', ['1:21-1:23 option skip must be a number of lines, 0 or more but got -1']],
  ['READ("int", has_header := "yes")', ['1:27-1:32 option has_header must be true or false but got "yes"']],
  ['READ("int", delimiter := "ab")', ['1:26-1:30 option delimiter must be one character other than a line break but got "ab"']],
  ['READ("int", delimiter := "\\n")', ['1:26-1:30 option delimiter must be one character other than a line break but got "\\n"']],
  ['READ("int", quote := "ab")', ['1:22-1:26 option quote must be one character other than a line break, or "" for none but got "ab"']],
  ['READ("int", nulls := "NA")', ['1:22-1:26 option nulls must be a collection of strings but got "NA"']],
  ['READ("int", nulls := [1])', ['1:22-1:25 option nulls must be a collection of strings but got [1]']],
  ['READ("int", row_tag := "")', ['1:24-1:26 option row_tag must be a name but got ""']],
  [
    'READ("int", on_error := "skipp")',
    ['1:25-1:32 option on_error must be "fail", "null" or "skip" but got "skipp", did you mean "skip"?'],
  ],
  [
    'READ("int", encoding := "utf-9")',
    [expect.stringMatching(/^1:25-1:32 option encoding must be a character set .* did you mean "utf-8"\?$/)],
  ],
  ['\\(t: string) -> READ("file:" + t)', ['1:17-1:34 the type must be given with AS: it cannot be found out here']],
  ['\\(q: string) -> READ("int", quote := q)', ['1:17-1:40 the type must be given with AS: it cannot be found out here']],
])('%s says what is wrong', (text, expected) => {
  expect(check(text)).toEqual(expected);
});

const PAGES = [1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].map((page) => `windows-${page}`);
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].map((part) => `iso-8859-${part}`);

test.each([
  'utf-8',
  'utf8',
  'utf-16',
  'utf-16le',
  'utf-16be',
  'ascii',
  'us-ascii',
  'latin-1',
  'latin1',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'big5',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'gbk',
  'shift_jis',
  ...PARTS,
  ...PAGES,
])('texts are read in %s, in any case', (name) => {
  expect(check(`[READ("int", encoding := "${name}"), READ("int", encoding := "${name.toUpperCase()}")]`)).toBe('collection(int)');
});

test.each(['iso-8859-9', 'iso-8859-11', 'iso-8859-12', 'iso-8859-17', 'windows-1249', 'windows-1259', ''])(
  'texts are not read in %j',
  (name) => {
    expect(check(`READ("int", encoding := "${name}")`)).toEqual([expect.stringContaining('option encoding must be a character set')]);
  },
);

test('each option is taken at its limits', () => {
  const taken = ['sample_size := 1', 'skip := 0', 'nulls := []', 'delimiter := "é"', 'quote := ""', 'on_error := "Null"', 'row_tag := "a"'];
  expect(taken.map((option) => check(`READ("int", ${option})`))).toEqual(taken.map(() => 'int'));
  const refused = [
    'sample_size := -2',
    'skip := 1.5',
    'delimiter := ""',
    'quote := "\\r"',
    'nulls := ["", 1]',
    'row_tag := 1',
    'on_error := ""',
  ];
  expect(refused.map((option) => check(`READ("int", ${option})`)).every(Array.isArray)).toBe(true);
});

test('a read asks with its function, location, options in lower case, and type', () => {
  expect(
    needsOf('TRY_READ_CSV("file:" || "a.csv" AS collection(record(x: int)), Delimiter := ";", ON_ERROR := "SKIP", nulls := ["", "NA"])'),
  ).toEqual([
    {
      function: 'READ_CSV',
      isTry: true,
      location: 'file:a.csv',
      options: { delimiter: ';', on_error: 'skip', nulls: ['', 'NA'] },
      asType: expect.objectContaining({ kind: 'CollectionType' }),
    },
  ]);
  expect(needsOf('READ("a", quote := "", has_header := FALSE, sample_size := -1, skip := 0)')).toEqual([
    { function: 'READ', isTry: false, location: 'a', options: { quote: '', has_header: false, sample_size: -1, skip: 0 }, asType: null },
  ]);
});

test('a location that hangs on an argument is known when the query is called', () => {
  const text = '\\(t: string, n: int := 5) -> READ("file:" + t + "-" + n AS collection(int), sample_size := n)';
  expect(needsOf(text)).toEqual([]);
  expect(check(text)).toBe('(t: string, n: int) -> collection(int)');
  expect(needsOf(text, new Map([['t', 'x']]))).toEqual([
    { function: 'READ', isTry: false, location: 'file:x-5', options: { sample_size: 5 }, asType: expect.anything() },
  ]);
});

test('two reads of the same are one need', () => {
  expect(needsOf('[READ("a"), READ("a"), READ("a", skip := 1)]')).toHaveLength(2);
});

test('reads that differ in anything are asked for apart, the same one once', () => {
  const reads = [
    'READ("a")',
    'READ("b")',
    'TRY_READ("a")',
    'READ_CSV("a")',
    'READ("a", quote := "x")',
    'READ("a" AS int)',
    'READ("a" AS long)',
  ];
  expect(needsOf(`[${[...reads, ...reads].join(', ')}]`)).toHaveLength(reads.length);
});

test('a fault of the query itself is no failure that TRY_READ would pass over', () => {
  const { tree } = parseProgram('TRY_READ("a")');
  if (tree === null) throw new Error('errors of syntax');
  const misused = checkProgram(
    tree,
    { ...plainEnvironment({}), findRead: () => ({ problem: 'no such sheet', isMisuse: true }) },
    { arguments: null },
  );
  expect(misused.diagnostics.map(({ message }) => message)).toEqual(['no such sheet']);
});

test.each(['byte', 'short', 'int', 'long', 'string'])('the text of a %s that the query is run with is part of a location', (type) => {
  const reads = needsOf(`\\(n: ${type}) -> READ("f" || CAST(n AS string) AS int)`, new Map([['n', '7']]));
  expect(reads.map(({ location }) => location)).toEqual(['f7']);
});

test.each(['float', 'double', 'decimal', 'bool'])('the text of a %s is made when the query runs', (type) => {
  expect(needsOf(`\\(n: ${type}) -> READ("f" || CAST(n AS string) AS int)`, new Map([['n', '1']]))).toEqual([]);
});

test.each(['byte', 'short', 'int', 'long', 'float', 'double', 'decimal'])(
  'a %s that the query is run with is a number in an option',
  (type) => {
    const reads = needsOf(`\\(n: ${type}) -> READ("f" AS int, sample_size := n)`, new Map([['n', '7']]));
    expect(reads.map(({ options }) => options)).toEqual([{ sample_size: 7 }]);
  },
);
