import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startExecutorUnderTest, type ExecutorUnderTest } from './testing/executor-under-test.ts';

const ROOT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const PAGE = await readFile(join(ROOT, 'docs/views-and-packages.md'), 'utf8');
const README = await readFile(join(ROOT, 'README.md'), 'utf8');
const prelude = /```sh\n([\s\S]*?)\n```/.exec(PAGE)?.[1] ?? '';
const shownIn = (text: string, fences: RegExp): readonly { readonly commands: string; readonly expected: string }[] =>
  [...text.matchAll(fences)].map(([, commands = '', expected = '']) => ({ commands, expected }));
const ofPage = shownIn(PAGE, /```sh\n((?:(?!```)[\s\S])*)\n```\n\n```text\n((?:(?!```)[\s\S])*)```/g);
const ofReadme = shownIn(README, /```\n(curl (?:(?!```)[\s\S])*)\n```\n\n```\n((?:(?!```)[\s\S])*)```/g);
/** Definitions that the README assumes: the address of a local stack, and the command that prints a token. */
const readmePrelude = 'npm() { [ "$*" = "run -s token" ] && printf %s "$TOKEN"; }';

let executor: ExecutorUnderTest;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  executor = await startExecutorUnderTest();
  for (const name of ['airports.csv', 'penguins.json']) await copyFile(join(ROOT, 'examples/data', name), join(executor.root, name));
  env = { PATH: process.env['PATH'] ?? '', EXECUTOR: executor.url, TOKEN: await executor.token('reader') };
});
afterAll(() => executor.close());

test('every command of the page is followed by what it prints', () => {
  expect(ofPage.length).toBeGreaterThan(10);
  // The first block defines what the others use.
  expect([...PAGE.matchAll(/```sh\n/g)]).toHaveLength(ofPage.length + 1);
});

test.each(ofPage)('$commands', async ({ commands, expected }) => {
  expect(withoutTimes(await printedBy(`${prelude}\n${commands}`))).toBe(withoutTimes(expected));
});

test('every request of the README is followed by what it prints', () => {
  expect(ofReadme).toHaveLength([...README.matchAll(/^curl /gm)].length);
  expect(ofReadme.length).toBeGreaterThan(1);
});

test.each(ofReadme)('README: $commands', async ({ commands, expected }) => {
  expect(await printedBy(withoutAddress(commands))).toBe(expected);
});

test('README: the type of its first query is what it says', async () => {
  const [, type] = /`POST \/query-validate` answers the type of that query\n[^`]*```\n(.*\n)```/.exec(README) ?? [];
  const validating = withoutAddress(ofReadme[0]?.commands ?? '').replace('/query', '/query-validate');
  expect(`${await printedBy(validating)}\n`).toBe(type);
});

async function printedBy(commands: string): Promise<string> {
  return (await run('bash', ['-c', commands], { env, cwd: executor.root })).stdout;
}

function withoutAddress(commands: string): string {
  return `${readmePrelude}\n${commands.replace('http://127.0.0.1:8081', executor.url)}`;
}

function withoutTimes(shown: string): string {
  return shown.replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+"/g, '"…"');
}
