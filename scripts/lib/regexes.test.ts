import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CELL_TYPES } from '../../packages/text-formats/src/csv/cell-type.ts';
import { csvCellPattern, csvLinePattern } from '../../packages/text-formats/src/csv/csv-patterns.ts';
import { collectRegexes } from './testing/collect-regexes.ts';

/** Expressions proven before, since a proof takes seconds. `REWRITE_CASES=1` writes it. */
const PROVEN = join(import.meta.dirname, 'testing/proven-regexes.txt');

/** Expressions that the checker cannot prove or finds slow, with the reason why callers cannot trigger it. */
const NOT_PROVEN: ReadonlyMap<string, string> = new Map([
  [String.raw`/(\w+)(:[^,()]*?) := ("[^"]*"|-?\w+)/g`, 'reads signatures of functions, which are our own'],
  [String.raw`/-?\d+:\S+\s*$/`, 'reads the text of an interval, of 1,000 characters at most'],
  [String.raw`/([-+]?[\d.]+)[\s,]+([a-z]+)/g`, 'reads the text of an interval, of 1,000 characters at most'],
  [String.raw`/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?<(?![=!])/g`, 'reads a regex of a program, of 1,000 characters at most'],
  [
    String.raw`/\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\((?:\?P?<)?(?!\?)/g`,
    'reads a regex of a program, of 1,000 characters at most',
  ],
]);

/** Expressions built from parts. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ['packages/text-formats/src/csv/cell-type.ts: new RegExp(pattern)', 'one of CELL_TYPES'],
  ['packages/query-engine/src/infer/csv-column-types.ts: new RegExp(type.pattern)', 'one of CELL_TYPES'],
  ["packages/text-formats/src/infer-plain-text.ts: new RegExp(csvCellPattern(delimiter), 'g')", 'proven below'],
  ["packages/text-formats/src/infer-plain-text.ts: new RegExp(csvLinePattern(delimiter), 'g')", 'proven below'],
  [
    'packages/query-engine/src/lowering/scalars/decimal-scale.ts: new RegExp(String.raw`\\.\\d{${DECIMAL_SCALE},}?[1-9]`)',
    'looks for one dot, in a number of 1,000 characters at most',
  ],
  ["packages/query-language/src/check/interval-text.ts: new RegExp(`^(?:${INTERVAL_TEXT})$`, 'i')", 'a text of 1,000 characters at most'],
  [
    'packages/query-language/src/check/temporal-text.ts: new RegExp(String.raw`^([-\\d]+)(?:[T ]+([\\d:.]+)\\s*(Z|${OFFSET_TEXT})?)?$`)',
    'a text of 1,000 characters at most',
  ],
  [
    "packages/query-language/src/functions/java-template.ts: new RegExp(OTHER_FIELDS.map(([other]) => other).join('|'), 'g')",
    'words of a table, one or the other',
  ],
]);

/** Patterns of regular expressions that are built by a call. */
const MADE = [...CELL_TYPES.map(({ pattern }) => pattern), csvCellPattern(','), csvLinePattern(',')].map((pattern) => `/${pattern}/g`);

/** Returns whether the library proves that matching takes time linear in the length of any text. */
async function isLinear(literal: string): Promise<boolean> {
  // The checker's other builds are not dependencies.
  process.env['RECHECK_BACKEND'] = 'pure';
  const { checkSync } = await import('recheck');
  const end = literal.lastIndexOf('/');
  const { status } = checkSync(literal.slice(1, end), literal.slice(end + 1), { timeout: 30_000 });
  return status === 'safe';
}

const { literals, calls } = await collectRegexes();

test('no regular expression of a service takes more than linear time', async () => {
  expect(literals.size).toBeGreaterThan(150);
  const all = [...literals, ...MADE].filter((literal) => !NOT_PROVEN.has(literal)).toSorted();
  const proven = new Set((await readFile(PROVEN, 'utf8')).split('\n'));
  const slow: string[] = [];
  for (const literal of all) if (!proven.has(literal) && !(await isLinear(literal))) slow.push(literal);
  expect(slow).toEqual([]);
  const text = all.map((literal) => `${literal}\n`).join('');
  if (process.env['REWRITE_CASES'] === '1') await writeFile(PROVEN, text);
  expect(await readFile(PROVEN, 'utf8')).toBe(text);
});

test('each exception is still one', () => {
  expect([...NOT_PROVEN.keys()].filter((literal) => !literals.has(literal))).toEqual([]);
});

test('regular expressions that are made of parts are known', () => {
  expect([...calls].toSorted()).toEqual([...CALLS.keys()].toSorted());
});

test.each([
  ['/^a+b*$/', true],
  ['/0+$/', false],
  ['/^(a|a)*$/', false],
])('the checker says of %s: linear is %j', async (literal, isProven) => {
  expect(await isLinear(literal)).toBe(isProven);
});
