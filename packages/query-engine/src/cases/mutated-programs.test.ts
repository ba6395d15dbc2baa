import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { TEST_TABLES } from '../testing/test-tables.ts';
import { readCaseFile } from './case-file.ts';

/** The programs of the cases, short enough to break in many ways. */
const topics = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.cases')).toSorted();
const texts = await Promise.all(topics.map(async (topic) => readFile(join(import.meta.dirname, topic), 'utf8')));
const programs = texts.flatMap((text) => readCaseFile(text).cases.map((one) => one.text)).filter((text) => text.length < 400);
const PER_PROGRAM = 5;

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(() => runner.close());

test('broken programs give diagnostics that lie in the text, and nothing else', () => {
  const random = randomSource(20_261_121);
  const wrong: string[] = [];
  let count = 0;
  for (const program of programs) {
    for (let i = 0; i < PER_PROGRAM; i += 1) {
      const text = broken(program, random);
      count += 1;
      const problem = problemOf(text);
      if (problem !== null) wrong.push(`${problem}:\n${text}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(2000);
});

function problemOf(text: string): string | null {
  try {
    const faults = runner.faultsOf(text);
    const places = faults.flatMap(({ spans }) => spans);
    if (faults.some(({ message, spans }) => message === '' || spans.length === 0)) return 'a fault without a text or a place';
    return places.every(({ start, end }) => start >= 0 && start <= end && end <= text.length) ? null : 'a place outside of the text';
  } catch (thrown) {
    // A missing input of the environment is not a fault of the program.
    const message = String(thrown);
    return /"kind":"(package|read)"/.test(message) ? null : message;
  }
}

const NOISE = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ',',
  ';',
  ':=',
  '.',
  '*',
  '-',
  '"',
  "'",
  '`',
  '\\',
  '@',
  '0',
  'x',
  '\n',
  '🦆',
  'NULL',
  '[]',
  'SELECT ',
];

/** The program with one character or word lost, doubled, replaced, or changed for another of the same program. */
function broken(program: string, random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T; // never empty here
  const at = Math.floor(random() * program.length);
  const [head, tail] = [program.slice(0, at), program.slice(at + 1)];
  const words = [...program.matchAll(/[\w"]+|[^\s\w]/g)];
  const [one, other] = [pick(words), pick(words)];
  const replaced = (word: string): string => program.slice(0, one.index) + word + program.slice(one.index + one[0].length);
  return pick([
    () => head + tail,
    () => head + program.charAt(at).repeat(2) + tail,
    () => head + pick(NOISE) + tail,
    () => replaced(pick(NOISE)),
    () => replaced(''),
    () => replaced(other[0]),
    () => replaced(other[0]),
  ])();
}

/** Numbers from 0 to below 1, the same for the same seed. */
function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
