import { appendFile, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { LEAST_PIECE_BYTES, readGrowingFile } from './read-growing-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-growing-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('what was appended is read at once, except a rest that is too small, and the end when the file is whole', async () => {
  const path = join(folder, 'file');
  await using file = await open(path, 'w+');
  const { promise: writing, resolve } = Promise.withResolvers<void>();
  const sizes: number[] = [];
  let [read, appended] = ['', ''];
  let isEnded = false;
  const reading = (async () => {
    for await (const piece of readGrowingFile(file, writing)) {
      read += Buffer.from(piece).toString();
      sizes.push(piece.length);
    }
    isEnded = true;
  })();
  for (const text of ['1'.repeat(20_000), '2'.repeat(200_000), '3'.repeat(30_000)]) {
    await appendFile(path, text.slice(0, 100)); // too little to be worth a piece
    await delay(20); // several looks at the file
    await appendFile(path, text.slice(100));
    appended += text;
    // A file that is read while it grows may be read in any pieces.
    while (read.length <= appended.length - LEAST_PIECE_BYTES) await delay(1);
    expect(appended.startsWith(read)).toBe(true);
  }
  await appendFile(path, 'the end');
  expect(isEnded).toBe(false);
  resolve();
  await reading;
  expect(read).toBe(`${appended}the end`);
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(LEAST_PIECE_BYTES);
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
