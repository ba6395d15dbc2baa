import { appendFile, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readGrowingFile } from './read-growing-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-growing-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('what was appended is read at once, and the end only when the file is whole', async () => {
  const path = join(folder, 'file');
  await using file = await open(path, 'w+');
  const { promise: writing, resolve } = Promise.withResolvers<void>();
  const reader = readGrowingFile(file, writing);
  for (const text of ['1'.repeat(20_000), '2'.repeat(200_000), '3'.repeat(30_000)]) {
    const next = reader.next();
    await appendFile(path, text.slice(0, 100)); // too little to be worth a piece
    await appendFile(path, text.slice(100));
    expect(Buffer.from((await next).value ?? []).toString()).toBe(text);
  }
  const last = reader.next();
  await appendFile(path, 'the end');
  resolve();
  expect(Buffer.from((await last).value ?? []).toString()).toBe('the end');
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});

test('a file that is not finished is never read to an end', async () => {
  const path = join(folder, 'file');
  await using file = await open(path, 'w+');
  await appendFile(path, 'some'.repeat(5000));
  const { promise: writing, reject } = Promise.withResolvers<void>();
  const reader = readGrowingFile(file, writing);
  expect((await reader.next()).value).toHaveLength(20_000);
  const next = reader.next();
  reject(new Error('broken'));
  await expect(next).rejects.toThrow('broken');
});
