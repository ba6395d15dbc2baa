import type { CheckEnvironment, Plan } from '@svc/query-language';
import { checkProgram, parseProgram, parseType } from '@svc/query-language';

import { LONG, valueSizes } from './value-sizes.ts';

const rows = parseType('collection(record(id: int, s: string))');
const environment: CheckEnvironment = {
  findRead: () => undefined,
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

/** A text of 100 characters. */
const T = `"${'x'.repeat(100)}"`;
/** A size without a known bound. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

test.each([
  ['what has always as much', '1 + 2 * 3', 16],
  ['a short text', '"a"', 16],
  ['a window that collects', 'GET((SELECT COLLECT(id) OVER () FROM data), 0)', ENDLESS],
  ['a window that joins texts', 'GET((SELECT STRING_AGG(s, ",") OVER () FROM data), 0)', ENDLESS],
  ['a window with one of the values', 'GET((SELECT FIRST(s) OVER () FROM data), 0)', 272],
  ['a text', T, 100],
  ['a collection', `[${T}, ${T}, "a"]`, 216],
  ['a record', `(a: ${T}, b: ${T}, c: 1)`, 216],
  ['records of what has always as much', '[(a: 1, b: 2), (a: 3, b: 4)]', 64],
  ['a field of what is made', `GET([(a: ${T}, b: ${T})], 0).a`, 216],
  ['an element is not either', `[${T}, ${T}][0]`, 200],
  ['texts behind one another', `${T} || ${T} || 1`, 232],
  ['what a call makes of all it is given', `CONCAT(${T}, ${T}, ${T})`, 300],
  ['the longest branch', `IF 1 < 2 THEN ${T} || ${T} ELSE ${T}`, 200],
  ['the longest value of a choice', `COALESCE(NULLIF(${T}, "a"), ${T} || ${T})`, 200],
  ['what may fail', `TRY(${T} || ${T})`, 200],
  ['the text of a collection', '"" || TO_JSON([1, 2])', 80],
  ['a cast', `CAST([1, 2, 3] AS collection(string))`, 96],
  ['numbers', 'RANGE(0, 1000)', 8000],
  ['numbers in steps', 'RANGE(0, 1000, 10)', 800],
  ['numbers downwards', 'RANGE(1000, 0, -10)', 800],
  ['numbers of the data', 'SELECT RANGE(0, id) FROM data', ENDLESS],
  ['moments', 'TIMESTAMP_RANGE(TIMESTAMP "2024-01-01", TIMESTAMP "2024-01-02", INTERVAL "1 day")', ENDLESS],
  ['a repeated text', `REPLICATE(${T}, 1000)`, 100_000],
  ['a filled text', 'LPAD("a", 1000, "b")', 1000],
  ['one that is filled on the right', 'RPAD("a", 1000, "b")', 1000],
  ['one that is long enough', `[LPAD(${T}, 10, "b"), RPAD(${T}, 10, "b")]`, 200],
  ['a longer text for another', `REPLACE(${T}, "x", ${T})`, 10_000],
  ['one as long for another', `REPLACE(${T}, "xy", "ab")`, 100],
  ['nothing for what a regex finds', `REPLACE(${T}, r"x+", "")`, 100],
  ['a text for what a regex finds', `REPLACE(${T}, r"xx", ${T})`, 10_000],
  ['joined texts', `MKSTRING([${T}, ${T}], ${T})`, 2500],
  ['the parts of a text', `SPLIT(${T}, "x")`, 400],
  ['JSON', `TO_JSON([${T}])`, 200],
  ['digits of bytes', `HEX(ENCODE(${T}, "utf-8"))`, 200 + 2 * 16],
  ['a text of a location', `URL_ENCODE(${T})`, 300],
  ['what is made of itself', `REDUCE([1, 2], "", \\(sum, x) -> sum || ${T})`, ENDLESS],
  ['a value that is used twice', `a := ${T} || ${T}; a || a`, 400],
  ['data', 'data', 256],
  ['a text of the data', 'CFIRST(SELECT s FROM data) || ""', 272],
  ['a row for each element', `SELECT (${T}, x) FROM ["a", "b", "c"] x`, 3 * 116],
  ['a row for each pair of elements', `SELECT ${T} FROM ["a", "b", "c"] x, ["a", "b"] y`, 600],
  ['one value of many rows', `SELECT MAX(${T} || x) FROM RANGE(0, 100000) x`, 256],
  ['a text of many rows', `SELECT STRING_AGG(${T} || ${T} || ${T}, "") FROM data`, 316],
  ['the rows of one and another', `SELECT x || "" FROM (["a", "b"] ++ [${T}, ${T}]) x`, 2.32 * 116],
  ['elements of elements', `SELECT y || "" FROM [[${T}, ${T}]] x, x y`, 216],
])('%s: the bytes of a value by what the program makes of it', (_, text, expected) => {
  const plan = planOf(text);
  expect(valueSizes(plan).sizeOf(plan)).toBeCloseTo(expected, 6);
});

test.each([
  ['1 + 2', 0],
  [`a := REPLICATE("a", ${LONG / 16}); a`, 0],
  [`a := REPLICATE("a", ${LONG / 16 + 1}); a || a`, 2],
  ['SELECT LEN(RANGE(0, 100000)) AS n FROM data', 1],
])('%s: so many parts make something long', (text, expected) => {
  expect(valueSizes(planOf(text)).generators).toBe(expected);
});
