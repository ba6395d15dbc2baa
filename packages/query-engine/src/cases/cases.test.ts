import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { TEST_TABLES } from '../testing/test-tables.ts';
import { printCaseFile, readCaseFile } from './case-file.ts';
import { printOutcome } from './print-outcome.ts';

/** `REWRITE_CASES=1` replaces the expected outcomes by the actual ones: read every changed line before you commit it. */
const isRewriting = process.env['REWRITE_CASES'] !== undefined;

const ROOT = join(import.meta.dirname, '../../../..');
/** Separates a paragraph of the language from the files, or folders, that test it. */
const TESTED_IN = ' -> ';

const topics = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.cases')).toSorted();
const files = await Promise.all(
  topics.map(async (topic) => {
    const text = await readFile(join(import.meta.dirname, topic), 'utf8');
    return { topic, text, ...readCaseFile(text) };
  }),
);
const paragraphs = (await readFile(join(import.meta.dirname, 'paragraphs.txt'), 'utf8')).split('\n').filter((line) => line.startsWith('§'));

let runner: QueryRunner;
const rewritten = new Map<string, string>();
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(async () => {
  await runner.close();
  if (!isRewriting) return;
  for (const { topic, head, cases } of files) {
    const now = cases.map((one) => ({ ...one, expected: rewritten.get(`${topic} ${one.name}`) ?? one.expected }));
    await writeFile(join(import.meta.dirname, topic), printCaseFile({ head, cases: now }));
  }
});

describe.each(files)('$topic', ({ topic, cases }) => {
  test.each(cases)('$name', async ({ name, query, text, expected }) => {
    const found = printOutcome(text, await runner.outcome(text, new Map(new URLSearchParams(query))));
    rewritten.set(`${topic} ${name}`, found);
    expect(found).toBe(isRewriting ? found : expected);
  });
});

test.each(files)('$topic is laid out as it is rewritten', ({ text, head, cases }) => {
  const printed = printCaseFile({ head, cases });
  expect(printed).toBe(isRewriting ? printed : text);
});

test('each paragraph of the language has a case, and each case names paragraphs that there are', () => {
  const known = paragraphs.map((line) => line.split(' ')[0]);
  const shown = new Set(files.flatMap(({ cases }) => cases.flatMap((one) => one.paragraphs)));
  const elsewhere = new Set(paragraphs.filter((line) => line.includes(TESTED_IN)).map((line) => line.split(' ')[0]));
  expect(known.filter((id) => id !== undefined && !shown.has(id) && !elsewhere.has(id))).toEqual([]);
  expect([...shown].filter((id) => !known.includes(id))).toEqual([]);
});

test('what is said to be tested elsewhere is tested there', async () => {
  const places = paragraphs.flatMap((line) => line.split(TESTED_IN)[1]?.split(', ') ?? []);
  expect(places.length).toBeGreaterThan(3);
  const tests = await Promise.all(places.map(async (place) => testsIn(join(ROOT, place))));
  expect(places.filter((_, i) => tests[i]?.length === 0)).toEqual([]);
});

async function testsIn(place: string): Promise<readonly string[]> {
  const isFile = place.endsWith('.ts');
  const names = await readdir(isFile ? dirname(place) : place, { recursive: !isFile });
  return names.filter((name) => (isFile ? name === basename(place) : name.endsWith('.test.ts')));
}
