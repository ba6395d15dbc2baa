import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { walkPattern } from './walk-pattern.ts';

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'svc-walk-')));
  await mkdir(join(root, 'd'));
  for (const name of ['a.csv', 'b.csv', 'd/c.csv']) await writeFile(join(root, name), '');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const walk = async (pattern: string, mostFiles: number): Promise<number> =>
  (await walkPattern(root, pattern.split('/'), { realRoot: root, signal: undefined, mostFiles })).length;

test('a pattern matches as many files as it may, and no more', async () => {
  expect(await walk('**/*.csv', 3)).toBe(3);
  await expect(walk('**/*.csv', 2)).rejects.toThrow('the pattern names more than 2 files');
});

test('files that the pattern does not match do not count', async () => {
  expect(await walk('*.csv', 2)).toBe(2);
});
