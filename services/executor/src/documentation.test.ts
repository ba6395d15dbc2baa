import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startExecutorUnderTest, type ExecutorUnderTest } from './testing/executor-under-test.ts';

const ROOT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const text = await readFile(join(ROOT, 'docs/views-and-packages.md'), 'utf8');
const prelude = /```sh\n([\s\S]*?)\n```/.exec(text)?.[1] ?? '';
const examples = [...text.matchAll(/```sh\n((?:(?!```)[\s\S])*)\n```\n\n```text\n((?:(?!```)[\s\S])*)```/g)].map(
  ([, commands = '', expected = '']) => ({
    commands,
    expected,
  }),
);

let executor: ExecutorUnderTest;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  executor = await startExecutorUnderTest();
  await copyFile(join(ROOT, 'examples/data/airports.csv'), join(executor.root, 'airports.csv'));
  env = { PATH: process.env['PATH'] ?? '', EXECUTOR: executor.url, TOKEN: await executor.token('reader') };
});
afterAll(() => executor.close());

test('every command of the page is followed by what it prints', () => {
  expect(examples.length).toBeGreaterThan(10);
  // The first block defines what the others use.
  expect([...text.matchAll(/```sh\n/g)]).toHaveLength(examples.length + 1);
});

test.each(examples)('$commands', async ({ commands, expected }) => {
  const { stdout } = await run('bash', ['-c', `${prelude}\n${commands}`], { env, cwd: executor.root });
  expect(withoutTimes(stdout)).toBe(withoutTimes(expected));
});

function withoutTimes(shown: string): string {
  return shown.replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+"/g, '"…"');
}
