import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PROJECT } from './project.js';

/** Searches in a text whose name tells that it is SQL, and searches for a clause in any text. */
const LOOK_UPS = [
  /\b(?:sql|from|[a-z]\w*(?:Sql|From)|columns\[\w+\])\??\.(?:at|charAt|endsWith|includes|indexOf|match|matchAll|replace|replaceAll|search|slice|split|startsWith|substring)\(/g,
  /\.(?:exec|test)\((?:\w+\.)*(?:sql|from|[a-z]\w*(?:Sql|From))\)/g,
  /\.(?:endsWith|includes|indexOf|startsWith)\('[^']*(?:SELECT|FROM|CAST|LAMBDA)\b/gi,
];

/** Returns the places at which a source searches SQL. */
function findLookUps(source: string): readonly string[] {
  return LOOK_UPS.flatMap((pattern) => [...source.matchAll(pattern)].map(([text]) => text));
}

test('what is known of generated SQL is carried beside it: code does not search it', async () => {
  const found: Record<string, number> = {};
  let read = 0;
  for await (const path of glob('packages/*/src/**/*.ts', { cwd: PROJECT })) {
    if (path.endsWith('.test.ts') || /\/(testing|reference-evaluator|test-kit)\//.test(path)) continue;
    const lookUps = findLookUps(await readFile(join(PROJECT, path), 'utf8'));
    if (lookUps.length > 0) found[path] = lookUps.length;
    read += 1;
  }
  expect(read).toBeGreaterThan(300);
  expect(found).toEqual({});
});

test.each([
  ["hoisted.columns.some(({ sql }) => sql.includes('(SELECT '))", 2],
  ["const isPlain = !value.includes('(SELECT ');", 1],
  ['new RegExp(` AS "?${name}\\\\b`).test(rows.from)', 1],
  ['return /^("?)c\\d+$/.exec(sql)?.[2] ?? null;', 1],
  ["binding.columns[i]?.replaceAll('\"', '')", 1],
  ["return rows.columns.has(sql) ? sql : freshName(context, 'c');", 0],
  ['checkLimit(sql.length)', 0],
])('in %j the check finds %i', (source, count) => {
  expect(findLookUps(source)).toHaveLength(count);
});
