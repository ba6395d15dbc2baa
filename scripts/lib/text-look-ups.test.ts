import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PROJECT } from './project.js';

/**
 * A table that is a plain object inherits members: `TABLE[text]` finds a function for `constructor`. The type checker does
 * not report that if the keys are strings, or after a cast to a key.
 */
const TABLE = /\bconst ([A-Z][A-Z0-9_]*): (?:Readonly<|Partial<)*(?:Record<string,|\{ (?:readonly )?\[\w+: string\])/g;

/** Returns the lookups in the named tables of a source whose key is not a string literal. */
function findLookUps(source: string, tables: ReadonlySet<string>): readonly string[] {
  const inTables = [...source.matchAll(/\b([A-Z][A-Z0-9_]*)\[([^\]\n]+)\]/g)]
    .filter(([, name = '', key = '']) => tables.has(name) && !/^'[^']*'$/.test(key))
    .map(([text]) => text);
  return [...inTables, ...[...source.matchAll(/\w\[[^\],\n]* as keyof [^\]\n]+\]/g)].map(([text]) => text)];
}

function tablesOf(source: string): readonly string[] {
  return [...source.matchAll(TABLE)].flatMap(([, name]) => name ?? []);
}

async function readSources(): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for await (const path of glob('{packages,services}/*/src/**/*.ts', { cwd: PROJECT }))
    if (!path.endsWith('.test.ts') && !/\/(testing|reference-evaluator|test-kit)\//.test(path))
      sources.set(path, await readFile(join(PROJECT, path), 'utf8'));
  return sources;
}

test('a table is looked up by a text with ownValue, or is a Map', async () => {
  const sources = await readSources();
  const exported = new Set([...sources.values()].flatMap((source) => tablesOf(source.replaceAll(/^const .*/gm, ''))));
  const found = [...sources].flatMap(([path, source]) => {
    const imported = [...source.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
    const tables = new Set([...tablesOf(source), ...imported.filter((name) => exported.has(name))]);
    return findLookUps(source, tables).map((lookUp) => `${path}: ${lookUp}`);
  });
  expect(sources.size).toBeGreaterThan(300);
  expect(exported.size).toBeGreaterThan(5);
  expect(found).toEqual([]);
});

test.each([
  ['const A: Readonly<Record<string, number>> = { a: 1 };\nreturn A[text] ?? 0;', ['A[text]']],
  ["const A: Record<string, number> = { a: 1 };\nreturn A['a'];", []],
  ['const A: Readonly<Record<string, number>> = { a: 1 };\nreturn ownValue(A, text);', []],
  ['const A: { readonly [name: string]: number } = { a: 1 };\nreturn A[text.toLowerCase()];', ['A[text.toLowerCase()]']],
  ["const A: Readonly<Record<'a' | 'b', number>> = { a: 1, b: 2 };\nreturn A[letter];", []],
  ['const A = { a: 1 } as const;\nreturn A[text as keyof typeof A];', ['A[text as keyof typeof A]']],
])('in %j the check finds %j', (source, lookUps) => {
  expect(findLookUps(source, new Set(tablesOf(source)))).toEqual(lookUps);
});
