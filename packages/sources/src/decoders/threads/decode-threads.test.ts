import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { JsonShape } from '@svc/text-formats';

import type { XmlLinesJob, XmlTypeJob } from '../xml/decode-xml.ts';
import { DecodeThreads, shareHeap } from './decode-threads.ts';

const ann = { caller: 'ann', signal: new AbortController().signal };
const rows = { kind: 'root' } as const;

let folder: string;
let threads: DecodeThreads;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-decode-'));
  threads = new DecodeThreads(64);
});
afterAll(async () => {
  await threads.close();
  await rm(folder, { recursive: true, force: true });
});

const fileOf = async (name: string, text: string) => {
  const path = join(folder, name);
  await writeFile(path, text);
  return { path, compression: null, encoding: 'utf-8', isBeginning: false };
};
const typeJob = async (name: string, text: string): Promise<XmlTypeJob> => ({ files: [await fileOf(name, text)], rows, sampleSize: -1 });
const linesJob = async (name: string, text: string): Promise<XmlLinesJob> => ({
  file: await fileOf(name, text),
  rows: { kind: 'named', tag: 'a' },
  rowType: { kind: 'AnyType', isNullable: true } as never,
  isClosed: false,
  isSkipping: false,
  maxLineBytes: 1000,
});
const EMPTY: JsonShape = {
  hasNull: false,
  hasBool: false,
  hasString: false,
  number: 'none',
  fields: null,
  objects: 0,
  element: null,
  hasArray: false,
  size: 0,
  isOpaque: false,
};
const fields = (names: readonly string[]): object => ({ type: { kind: 'RecordType', fields: names.map((name) => ({ name })) } });

test('a job finds what it looks for, and one that fails says of which file', async () => {
  const bad = await typeJob('bad.xml', '<r><a></r>');
  await expect(threads.find('xml-type', bad, ann)).rejects.toMatchObject({
    failureClass: 'unreadable',
    message: expect.stringMatching(/^line 1, column/),
    sourcePath: bad.files[0]?.path,
  });
  expect(await threads.find('xml-type', await typeJob('a.xml', '<r><a>1</a><b/></r>'), ann)).toMatchObject(fields(['a', 'b']));
});

test('a heap that bursts is a failure of the job alone', async () => {
  const large = await typeJob('large.xml', `<r>${Array.from({ length: 1_000_000 }, (_, i) => `<n${i}/>`).join('')}</r>`);
  await expect(threads.find('xml-type', large, ann)).rejects.toMatchObject({
    failureClass: 'out-of-memory',
    message: 'decoding the file needs more than the 64 MB that it may use',
  });
  expect(await threads.find('xml-type', await typeJob('a.xml', '<r><a>1</a></r>'), ann)).toMatchObject(fields(['a']));
});

test('pieces come as fast as they are taken, and a job that is left makes place for the next', async () => {
  const job = await linesJob('many.xml', `<r>${'<a>1</a>'.repeat(1_000_000)}</r>`);
  const pieces = threads.decode('xml-lines', job, ann);
  expect(Buffer.from((await pieces.next()).value as Uint8Array).toString()).toMatch(/^"1"\n/);
  await pieces.return(undefined as never);
  expect(await threads.find('xml-type', await typeJob('a.xml', '<r><a>1</a></r>'), ann)).toMatchObject(fields(['a']));
});

test('a job that is cancelled ends, while it works and while it waits for its turn', async () => {
  const job = await linesJob('many.xml', `<r>${'<a>1</a>'.repeat(1_000_000)}</r>`);
  const [working, waiting] = [new AbortController(), new AbortController()];
  const pieces = threads.decode('xml-lines', job, { caller: 'ann', signal: working.signal });
  await pieces.next();
  const turn = threads.find('xml-type', await typeJob('a.xml', '<r/>'), { caller: 'bob', signal: waiting.signal });
  await delay(1000); // pieces may have come that nobody took
  waiting.abort();
  await expect(turn).rejects.toMatchObject({ failureClass: 'interrupted' });
  working.abort();
  await expect(pieces.next()).rejects.toMatchObject({ failureClass: 'interrupted' });
  expect(await threads.find('xml-type', await typeJob('a.xml', '<r><a>1</a></r>'), ann)).toMatchObject(fields(['a']));
});

test('a document of JSON is added to a shape, and where it is none the place is told', async () => {
  const shape = { ...EMPTY, hasNull: true };
  const bytes = Buffer.from(`[${'1,'.repeat(1000)}"x"]`);
  expect(await threads.find('json-shape', { bytes, shape }, ann)).toEqual({
    shape: { ...shape, hasArray: true, element: { ...EMPTY, number: 'int', hasString: true } },
  });
  expect(await threads.find('json-shape', { bytes: bytes.subarray(0, -1), shape }, ann)).toMatchObject({ byte: bytes.length });
});

test('the callers who wait take turns', async () => {
  const job = await linesJob('many.xml', `<r>${'<a>1</a>'.repeat(1_000_000)}</r>`);
  const held = threads.decode('xml-lines', job, ann);
  await held.next();
  const short = await typeJob('a.xml', '<r><a>1</a></r>');
  const ended: string[] = [];
  const waiting = ['ann', 'ann', 'bob', 'ann', 'bob'].map(async (caller) => {
    await threads.find('xml-type', short, { ...ann, caller });
    ended.push(caller);
  });
  await held.return(undefined as never);
  await Promise.all(waiting);
  expect(ended).toEqual(['bob', 'ann', 'bob', 'ann', 'ann']);
});

test.each([
  [16, 1, 64],
  [128, 1, 128],
  [300, 2, 150],
  [1200, 2, 600],
  [1600, 3, 533],
  [4000, 4, 1000],
  [100_000, 4, 1024],
])('of %i MB there are %i threads of %i MB', (megabytes, threadCount, heapMegabytes) => {
  expect(shareHeap(megabytes, 4)).toEqual({ threads: threadCount, heapMegabytes });
});
