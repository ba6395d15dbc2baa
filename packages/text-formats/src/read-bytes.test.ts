import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { readBytes } from './read-bytes.ts';

let path: string;
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'svc-open-')), 'file');
  await writeFile(path, 'some text\n'.repeat(100_000));
});
afterAll(() => rm(join(path, '..'), { recursive: true }));

/** Returns whether this process has the file open. */
async function isOpen(): Promise<boolean> {
  const open = await readdir('/proc/self/fd');
  return (await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))).includes(path);
}

async function read(signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const piece of readBytes(path, null, signal)) bytes += piece.byteLength;
  return bytes;
}

test('a file that is read to its end is closed', async () => {
  expect(await read(new AbortController().signal)).toBe(1_000_000);
  expect(await isOpen()).toBe(false);
});

test.each([0, 1, 2, 3, 5, 8, 13, 21])(
  'a file whose reader goes away is closed, be it before it was opened: after %i turns',
  async (turns) => {
    const client = new AbortController();
    if (turns === 0) client.abort(new Error('gone'));
    const reading = read(client.signal).catch((thrown: unknown) => String(thrown));
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    client.abort(new Error('gone'));
    await reading;
    // Pending opens have completed by now.
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    expect(await isOpen()).toBe(false);
  },
);
