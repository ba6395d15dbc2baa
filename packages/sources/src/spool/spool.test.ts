import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, readdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { eventually } from '@svc/test-kit';

import { OpenFiles } from './open-files.ts';
import type { Copy } from './spool.ts';
import { Spool } from './spool.ts';
import { SpoolLedger } from './spool-ledger.ts';

const never = new AbortController().signal;
const MEGABYTE = 2 ** 20;
/** Overhead of a file besides its content. */
const FILE = 4096;

let directory: string;
let ledger: SpoolLedger;
let spool: Spool;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-'));
  ledger = new SpoolLedger({ megabytes: 4 });
  spool = new Spool({ directory, ledger });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** A copy of a size in megabytes; `made` counts how often it was made. */
function aCopy(key: string, megabytes: number): Copy & { readonly made: () => number } {
  let made = 0;
  return {
    key,
    made: () => made,
    pieces: async function* () {
      made += 1;
      for (let i = 0; i < megabytes; i += 1) yield Buffer.alloc(i === 0 ? MEGABYTE - FILE : MEGABYTE, key);
    },
  };
}

async function files(): Promise<number> {
  return (await readdir(join(directory, 'copies'))).length;
}

test('a copy is made once, and stays while there is room', async () => {
  const copy = aCopy('a', 2);
  for (let i = 0; i < 3; i += 1) (await spool.hold(copy, never))();
  expect([copy.made(), await files(), ledger.taken]).toEqual([1, 1, 2 * MEGABYTE]);
  expect((await readFile(spool.pathOf(copy))).length).toBe(2 * MEGABYTE - FILE);
});

test('parts of a copy stand at their places, and take no more room than they have', async () => {
  const parts = async function* (): AsyncGenerator<{ readonly at: number; readonly bytes: Uint8Array }> {
    yield { at: 3 * MEGABYTE, bytes: Buffer.from('end') };
    yield { at: 1, bytes: Buffer.from('begin') };
  };
  (await spool.hold({ key: 'sparse', parts }, never))();
  const content = await readFile(spool.pathOf({ key: 'sparse', parts }));
  expect([content.length, content.subarray(0, 7).toString(), content.subarray(-3).toString()]).toEqual([
    3 * MEGABYTE + 3,
    '\0begin\0',
    'end',
  ]);
  expect(ledger.taken).toBe(FILE + 8);
});

test('a copy that is known is held, and one that has made room is not', async () => {
  expect(await spool.holdKnown('a')).toBeNull();
  (await spool.hold(aCopy('a', 3), never))();
  const release = await spool.holdKnown('a');
  await expect(spool.hold(aCopy('b', 2), never)).rejects.toMatchObject({ failureClass: 'spool-full' });
  release?.();
  (await spool.hold(aCopy('b', 2), never))();
  expect(await spool.holdKnown('a')).toBeNull();
});

test('a copy that finds the disk full fails as one that finds the spool full, and leaves nothing', async () => {
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(MEGABYTE);
    throw Object.assign(new Error('write'), { code: 'ENOSPC' });
  };
  await expect(spool.hold({ key: 'a', pieces }, never)).rejects.toMatchObject({ name: 'ReadFailure', failureClass: 'spool-full' });
  expect([await files(), ledger.taken]).toEqual([0, 0]);
});

test('what is not held makes room, the oldest first', async () => {
  const [a, b, c] = [aCopy('a', 1), aCopy('b', 2), aCopy('c', 2)];
  for (const copy of [a, b, c]) (await spool.hold(copy, never))();
  expect(ledger.taken).toBe(4 * MEGABYTE);
  (await spool.hold(b, never))();
  (await spool.hold(a, never))();
  expect([a.made(), b.made(), c.made()]).toEqual([2, 1, 1]);
});

test('copies that are kept while there is room are taken space, and not held', async () => {
  const release = await spool.hold(aCopy('a', 1), never);
  const again = await spool.hold(aCopy('a', 1), never);
  (await spool.hold(aCopy('b', 2), never))();
  expect([ledger.held, ledger.taken]).toEqual([MEGABYTE, 3 * MEGABYTE]);
  release();
  expect(ledger.held).toBe(MEGABYTE);
  again();
  expect([ledger.held, ledger.taken]).toEqual([0, 3 * MEGABYTE]);
});

test('what is held does not, and whoever finds no room leaves nothing behind', async () => {
  const release = await spool.hold(aCopy('a', 3), never);
  await expect(spool.hold(aCopy('b', 2), never)).rejects.toMatchObject({
    failureClass: 'spool-full',
    message: 'the query needs more spool space than is left of the 4 MB that queries may use',
  });
  expect([await files(), ledger.taken]).toEqual([1, 3 * MEGABYTE]);
  release();
  (await spool.hold(aCopy('b', 2), never))();
  expect([await files(), ledger.taken]).toEqual([1, 2 * MEGABYTE]);
});

test('a copy that is known to find no room is not begun, and one that is shorter than was said takes what it has', async () => {
  const large = aCopy('a', 5);
  await expect(spool.hold({ ...large, bytes: 5 * MEGABYTE }, never)).rejects.toMatchObject({ failureClass: 'spool-full' });
  expect([large.made(), await files(), ledger.taken]).toEqual([0, 0, 0]);
  (await spool.hold({ ...aCopy('b', 1), bytes: 3 * MEGABYTE }, never))();
  expect([await files(), ledger.taken]).toEqual([1, MEGABYTE]);
});

test('small pieces are written in their order, whatever they add up to', async () => {
  const pieces = Array.from({ length: 300 }, (_, i) => Buffer.alloc(7919, String.fromCodePoint(97 + (i % 26))));
  const copy: Copy = { key: 'small', pieces: () => Readable.from(pieces) };
  (await spool.hold(copy, never))();
  expect((await readFile(spool.pathOf(copy))).equals(Buffer.concat(pieces))).toBe(true);
  expect(ledger.taken).toBe(FILE + 300 * 7919);
});

test('a copy whose reader goes away leaves nothing behind', async () => {
  const client = new AbortController();
  const endless: Copy = {
    key: 'endless',
    pieces: async function* () {
      for (let i = 0; ; i += 1) {
        if (i === 3) client.abort();
        yield Buffer.alloc(1000);
      }
    },
  };
  await expect(spool.hold(endless, client.signal)).rejects.toMatchObject({ failureClass: 'interrupted' });
  expect([await files(), ledger.taken]).toEqual([0, 0]);
});

test('copies make room for whatever else is in the spool, and what is not there is not given', async () => {
  (await spool.hold(aCopy('a', 4), never))();
  expect([ledger.reserve(3 * MEGABYTE), ledger.taken]).toEqual([true, 3 * MEGABYTE]);
  (await spool.hold(aCopy('b', 1), never))();
  expect([await files(), ledger.reserve(5 * MEGABYTE), ledger.taken]).toEqual([1, false, 3 * MEGABYTE]);
  ledger.free(3 * MEGABYTE);
  expect(ledger.taken).toBe(0);
});

test('a copy is made once for all who want it at the same time, and anew after a failure', async () => {
  const copy = aCopy('a', 1);
  const releases = await Promise.all([1, 2, 3].map(() => spool.hold(copy, never)));
  for (const release of releases) release();
  expect(copy.made()).toBe(1);
  let isBad = true;
  const flaky: Copy = {
    key: 'flaky',
    pieces: async function* () {
      yield 'a';
      if (isBad) throw new Error('unreadable');
    },
  };
  await expect(spool.hold(flaky, never)).rejects.toThrow('unreadable');
  isBad = false;
  (await spool.hold(flaky, never))();
  expect(await readFile(spool.pathOf(flaky), 'utf8')).toBe('a');
});

test('copies without content take room, too, and make it for others', async () => {
  for (let i = 0; i < 1500; i += 1) (await spool.hold({ key: `empty ${i}`, pieces: () => Readable.from([]) }, never))();
  expect(ledger.taken).toBe(4 * MEGABYTE);
  await eventually(async () => expect(await files()).toBe(1024));
});

test('a file is read as it was opened while it is held, whatever stands at its path, and is closed after the last', async () => {
  const path = join(await realpath(directory), 'people.csv');
  await writeFile(path, 'people');
  const file: Copy = { key: 'file', file: { path, location: 'file:people.csv' } };
  const releases = [await spool.hold(file, never), await spool.hold(file, never)];
  await symlink('/etc/hostname', `${path}.link`);
  await rename(`${path}.link`, path);
  for (const release of releases) {
    expect(await readFile(spool.pathOf(file), 'utf8')).toBe('people');
    release();
  }
  await eventually(async () => expect([await files(), ledger.taken]).toEqual([0, 0]));
  await expect(spool.hold(file, never)).rejects.toThrow('file:people.csv: the file is not there or may not be read');
  expect(await files()).toBe(0);
});

test('no more files are open than may be, and the place of one that is closed is free', async () => {
  const few = new Spool({ directory, ledger, openFiles: new OpenFiles({ most: 2 }) });
  const hold = async (name: string): Promise<() => void> => {
    const path = join(await realpath(directory), name);
    await writeFile(path, name);
    return few.hold({ key: name, file: { path, location: `file:${name}` } }, never);
  };
  const [first] = [await hold('a'), await hold('b')];
  await expect(hold('c')).rejects.toThrow('file:c: queries may read 2 files at once, and are reading so many now');
  first();
  (await hold('c'))();
  const opened = async (): Promise<readonly string[]> => {
    const links = await readdir(join(directory, 'copies'));
    return (await Promise.all(links.map((link) => readFile(join(directory, 'copies', link), 'utf8')))).toSorted();
  };
  expect(await opened()).toEqual(['b', 'c']);
  await eventually(async () => expect(await opened()).toEqual(['b']));
});

test('a file that was let go stays open for the next query, or makes place', async () => {
  const count = 300;
  const many = new Spool({ directory, ledger, openFiles: new OpenFiles({ most: count }) });
  const path = join(await realpath(directory), 'one');
  await writeFile(path, 'one');
  const copies = Array.from({ length: count + 1 }, (_, i): Copy => ({ key: `file ${i}`, file: { path, location: 'file:one' } }));
  const releases: (() => void)[] = [];
  for (const copy of copies.slice(0, count)) releases.push(await many.hold(copy, never));
  const links = (): number => readdirSync(join(directory, 'copies')).length;
  expect(links()).toBe(count);
  for (const release of releases) release();
  expect(links()).toBeGreaterThan(count / 2);
  const [first, last] = [copies[0], copies.at(-1)];
  if (first === undefined || last === undefined) throw new Error('there are so many');
  for (const copy of [first, last]) {
    const release = await many.hold(copy, never);
    expect(await readFile(many.pathOf(copy), 'utf8')).toBe('one');
    release();
  }
  await rename(path, `${path}.before`);
  (await many.hold(last, never))();
  await eventually(async () => expect(links()).toBe(0));
  await expect(many.hold(last, never)).rejects.toThrow('file:one: the file is not there or may not be read');
});

test('who waits for a copy whose maker was cancelled makes it', async () => {
  const client = new AbortController();
  const begun = Promise.withResolvers<void>();
  let made = 0;
  const copy: Copy = {
    key: 'slow',
    pieces: async function* (signal) {
      made += 1;
      yield 'a';
      if (made > 1) return;
      begun.resolve();
      await new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }));
    },
  };
  const maker = spool.hold(copy, client.signal);
  await begun.promise;
  const waiter = spool.hold(copy, never);
  client.abort();
  await expect(maker).rejects.toMatchObject({ failureClass: 'interrupted' });
  (await waiter)();
  expect([made, await readFile(spool.pathOf(copy), 'utf8')]).toEqual([2, 'a']);
});
