import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { lookAtFile } from '../file-format.ts';
import { FileFinder } from '../transports/find-files.ts';
import { checkFirstLines } from './first-lines.ts';

const MEGABYTE = 1024 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-lines-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function check(name: string, bytes: Buffer): Promise<void> {
  await writeFile(join(folder, name), bytes);
  const { signal } = new AbortController();
  const found = await new FileFinder([folder]).files(name);
  await checkFirstLines(await Promise.all(found.map(async (file) => ({ found: file, look: await lookAtFile(file, signal) }))), signal);
}

const line = (bytes: number): Buffer => Buffer.alloc(bytes, 'x');

describe('checkFirstLines', () => {
  it.each([
    ['plain.txt', line(16 * MEGABYTE + 1)],
    ['small.txt.gz', gzipSync(line(40 * MEGABYTE))],
  ])('refuses a first line of more than 16 MB: %s', async (name, bytes) => {
    await expect(check(name, bytes)).rejects.toMatchObject({
      failureClass: 'unreadable',
      message: 'line 1 is longer than 16 MB',
      sourcePath: join(folder, name),
    });
  });

  it.each([
    ['fits.txt', Buffer.concat([line(16 * MEGABYTE), Buffer.from('\nnext\n'), line(1000)])],
    ['fits.txt.gz', gzipSync(Buffer.concat([line(16 * MEGABYTE), Buffer.from('\n'), line(MEGABYTE)]))],
    ['empty.txt', Buffer.alloc(0)],
  ])('takes one that fits, whatever follows: %s', async (name, bytes) => {
    await expect(check(name, bytes)).resolves.toBeUndefined();
  });
});
