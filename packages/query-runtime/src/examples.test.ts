import { mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEnginePool } from '@svc/query-engine';
import { Sources } from '@svc/sources';

import { Admission, QueryRuntime } from './index.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const names = (await readdir(join(EXAMPLES, 'queries'))).filter((name) => name.endsWith('.query')).sort();

const spool = await mkdtemp(join(tmpdir(), 'svc-examples-'));
const roots = [await realpath(join(EXAMPLES, 'data'))];
const engine = createEnginePool({
  memoryMegabytes: 1024,
  threads: 2,
  concurrency: 2,
  spoolDirectory: spool,
  spoolMegabytes: 500,
  readRoots: roots,
});
const runtime = new QueryRuntime({
  engine,
  sources: new Sources({ fileRoots: roots, spoolDirectory: spool, spoolMegabytes: 100 }),
  admission: new Admission({ concurrency: 2, concurrencyPerSubject: 2, waitMillis: 10_000, maxWaiting: 10 }),
  timeoutMillis: 60_000,
  spoolDirectory: spool,
});

afterAll(async () => {
  await engine.close();
  await rm(spool, { recursive: true, force: true });
});

test('there are at least twelve examples', () => {
  expect(names.length).toBeGreaterThanOrEqual(12);
});

test.each(names)('%s gives its recorded result', async (name) => {
  const text = await readFile(join(EXAMPLES, 'queries', name), 'utf8');
  const query = await runtime.run({
    caller: { subject: 'reader', namespace: 'reader', scopes: [] },
    text,
    arguments: new Map(),
    format: 'hjson',
    lineEnding: 'unix',
    maxBytes: undefined,
    signal: new AbortController().signal,
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of query.body) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe(await readFile(join(EXAMPLES, 'queries', name.replace('.query', '.result')), 'utf8'));
});
