import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createPrivateFile, readIfThere, readOrCreatePrivateFile } from './private-file.ts';

let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-private-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

test('a private file is made once, for its owner only, and leaves nothing beside it', async () => {
  const path = join(directory, 'deep', 'secret');
  expect(await readOrCreatePrivateFile(path, () => Promise.resolve('first'))).toBe('first');
  expect(await readOrCreatePrivateFile(path, () => Promise.resolve('second'))).toBe('first');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(directory, 'deep'))).toEqual(['secret']);
});

test('all who make it at once get the text of the first', async () => {
  const path = join(directory, 'secret');
  const texts = await Promise.all(['a', 'b', 'c'].map((text) => readOrCreatePrivateFile(path, () => Promise.resolve(text))));
  expect(new Set(texts).size).toBe(1);
});

test('a file that exists is not overwritten', async () => {
  const path = join(directory, 'secret');
  expect([await createPrivateFile(path, 'a'), await createPrivateFile(path, 'b')]).toEqual([true, false]);
  expect([await readIfThere(path), await readIfThere(`${path}-not`)]).toEqual(['a', undefined]);
});
