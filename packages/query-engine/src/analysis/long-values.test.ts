import type { CheckEnvironment, Plan } from '@svc/query-language';
import { checkProgram, parseProgram, parseType } from '@svc/query-language';

import { findLongValues } from './long-values.ts';

const rows = parseType('collection(record(id: int, s: string))');
const document = parseType('record(texts: collection(string), names: record(a: string, b: string), all: any)');
const environment: CheckEnvironment = {
  findRead: () => ('type' in document ? { type: document.type } : undefined),
  findPackage: () => undefined,
  inferText: () => {
    throw new Error('nothing is inferred');
  },
  findName: ({ name }) =>
    name === 'data' && 'type' in rows ? { kind: 'table', name, type: rows.type } : { kind: 'nothing', candidates: [] },
};

function planOf(text: string): Plan {
  const { tree } = parseProgram(text);
  if (tree === null) throw new Error(`${text} is no program`);
  const { plan, diagnostics } = checkProgram(tree, environment, { arguments: new Map() });
  expect(diagnostics).toEqual([]);
  if (plan === null) throw new Error(`${text} is no value`);
  return plan;
}

/** A text that counts as one value of the data. */
const T = `"${'x'.repeat(256)}"`;
const many = (text: string): string => `[${Array.from({ length: 257 }, () => text).join(', ')}]`;

test.each([
  ['a short text', '"a"', false],
  ['a text', T, false],
  ['a long text', `"${'x'.repeat(65_536)}"`, false],
  ['a longer one', `"${'x'.repeat(65_552)}"`, true],
  ['many texts', many(T), true],
  ['one of many texts', `${many(T)}[0]`, true],
  ['many numbers', many('1'), false],
  ['a field of records', `GET([(a: ${many(T)}, b: 1)], 0).b`, false],
  ['a long field of the row', `SELECT r.a ++ [""] FROM (SELECT ${many('s')} AS a, s AS b FROM data) r`, true],
  [
    'what some declarations repeat',
    `SELECT { a := s || s || s || s; b := a || a || a || a; c := b || b || b || b; c || c || c || c } FROM data`,
    false,
  ],
  [
    'and what more do',
    `SELECT { a := s || s || s || s; b := a || a || a || a; c := b || b || b || b; c || c || c || c || c } FROM data`,
    true,
  ],
  ['the longest branch', `SELECT IF id > 1 THEN ${many('s')} ELSE [] FROM data`, true],
  ['the longest value of a choice', `SELECT COALESCE(NULLIF([s], []), ${many('s')}) FROM data`, true],
  ['a value that may fail', `TRY(${many(T)})`, true],
  ['numbers', 'RANGE(0, 8192)', false],
  ['more numbers', 'RANGE(0, 8193)', true],
  ['numbers of the data', 'SELECT RANGE(0, id) FROM data', true],
  ['what is made of numbers of the data', '(SELECT y + 1 FROM RANGE(0, 10000) y) ++ [1]', true],
  ['moments', 'TIMESTAMP_RANGE(TIMESTAMP "2024-01-01", TIMESTAMP "2024-01-02", INTERVAL "1 day")', true],
  ['a repeated text', `REPLICATE(${T}, 256)`, false],
  ['a more often repeated text', `REPLICATE(${T}, 257)`, true],
  ['a repeated text, repeated', `REPLICATE(REPLICATE(${T}, 20), 20)`, true],
  ['a short one, repeated', 'REPLICATE(REPLICATE("-", 20), 20)', false],
  ['a filled text', 'SELECT LPAD(s, 100, " ") || RPAD(s, 100, " ") FROM data', false],
  ['a text filled to a length of the data', 'SELECT LPAD(s, id, " ") FROM data', true],
  ['a longer text for another', 'SELECT REPLACE(s, "x", s) FROM data', false],
  ['again and again', 'SELECT REPLACE(REPLACE(s, "x", s), "y", s) FROM data', true],
  ['some letters for others', 'SELECT REPLACE(REPLACE(REPLACE(REPLACE(s, "ä", "ae"), "ö", "oe"), "ü", "ue"), "-", "") FROM data', false],
  ['joined texts', `SELECT MKSTRING([s, s], ", ") FROM data`, false],
  ['texts joined by long ones', `SELECT MKSTRING([s, s], s) FROM data`, false],
  ['JSON of JSON', `SELECT ${'TO_JSON('.repeat(8)}s${')'.repeat(8)} FROM data`, false],
  ['JSON of that', `SELECT ${'TO_JSON('.repeat(9)}s${')'.repeat(9)} FROM data`, true],
  ['what is made of itself', 'REDUCE([1, 2], "", \\(sum, x) -> sum || "x")', true],
  ['a number made of itself', 'REDUCE([1, 2], 0, \\(sum, x) -> sum + x)', false],
  ['a value used twice', `a := RANGE(0, 5000); [a, a]`, true],
  ['data', 'data', false],
  ['a text of the data', 'CFIRST(SELECT s FROM data) || ""', false],
  ['one value of many rows', 'SELECT MAX(s || s) FROM data', false],
  ['a text of all rows', '(SELECT STRING_AGG(s, "") FROM data) || ""', true],
  ['a declared collection of all rows', 'd := data; c := (SELECT COLLECT(s) FROM d); SELECT c ++ [s] FROM data', true],
  ['a collection of some rows', 'SELECT (SELECT COLLECT(o.s) FROM data o WHERE o.id = d.id) ++ [s] FROM data d', false],
  ['a collection of a group', 'SELECT COLLECT(s) ++ [""] FROM data GROUP BY id', false],
  ['a text of a frame', 'SELECT STRING_AGG(s, ",") OVER () FROM data', true],
  ['a value of a frame', 'SELECT FIRST(s) OVER () FROM data', false],
  ['a row for each of many numbers', '(SELECT s FROM data, RANGE(0, 10000) y) ++ [""]', true],
  ['a document', 'READ("file:d.json").texts ++ [""]', true],
  ['a text of a document', 'SELECT t || "" FROM READ("file:d.json").texts t', false],
  ['a text of a declared document', 'd := READ("file:d.json"); SELECT t || "" FROM TAKE(d.texts, 5) t WHERE d.names.a = ""', false],
  ['two texts of a document', 'd := READ("file:d.json"); SELECT t || d.names.a FROM d.texts t', true],
  ['an entry of a document', 'd := READ("file:d.json"); SELECT e.key || e.value FROM ENTRIES(d.names) e WHERE LEN(d.texts) > 1', false],
  ['a member of an entry', 'SELECT e.value.x FROM ENTRIES(READ("file:d.json").all) e', false],
  ['a document for each of its texts', 'd := READ("file:d.json"); SELECT d.texts ++ [t] FROM d.texts t', true],
  ['many texts beside those of a document', `d := READ("file:d.json"); SELECT z._2 || "" FROM ZIP(d.texts, [${many(T)}]) z`, true],
  ['elements of elements', `SELECT y || "" FROM [${many(T)}] x, x y`, true],
])('%s: the program makes it long: %s', (_, text, expected) => {
  const plan = planOf(text);
  let result = plan;
  while (result.kind === 'Let') result = result.body;
  if (result.kind === 'Select' && !result.isSingle) result = result.item;
  expect(findLongValues(plan).isLong(result)).toBe(expected);
});

test.each([
  ['1 + 2', 0],
  ['a := RANGE(0, 8192); a', 0],
  ['a := RANGE(0, 8193); LEN(a ++ a)', 2],
  ['SELECT LEN(RANGE(0, 100000)) AS n FROM data', 1],
  [many('(a: -1, b: "x", c: 1.5, d: DATE "2024-01-01", e: NULL, f: ["y", NULL])'), 0],
  [many('(a: -1, b: UPPER("x"))'), 1],
  [`a := ${many('(a: 1, b: "x")')}; [a, a]`, 1],
])('%s: so many parts make something long', (text, expected) => {
  expect(findLongValues(planOf(text)).count).toBe(expected);
});
