import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEnginePool } from '@svc/query-engine';
import { isQueryFailure } from '@svc/errors';
import { Sources } from '@svc/sources';

import { Admission, QueryRuntime } from './index.ts';

const ROOT = join(import.meta.dirname, '../../..');
const text = await readFile(join(ROOT, 'docs/language.md'), 'utf8');
const examples = [...text.matchAll(/```query\n([\s\S]*?)\n```\n```(result|error)\n([\s\S]*?)```/g)].map(
  ([, query = '', kind = '', expected = '']) => ({ query, kind, expected: expected.trimEnd() }),
);

const spool = await mkdtemp(join(tmpdir(), 'svc-documentation-'));
const roots = [await realpath(join(ROOT, 'examples/data'))];
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

test('every query of the language page is followed by its result or its error', () => {
  expect(examples).toHaveLength([...text.matchAll(/```query\n/g)].length);
});

test.each(examples)('$query', async ({ query, kind, expected }) => {
  const outcome = await run(query);
  expect(outcome).toEqual({ kind, text: expected });
});

async function run(query: string): Promise<{ readonly kind: string; readonly text: string }> {
  try {
    const running = await runtime.run({
      caller: { subject: 'reader', namespace: 'reader', scopes: [] },
      text: query,
      arguments: new Map(),
      format: 'hjson',
      lineEnding: 'unix',
      maxBytes: undefined,
      signal: new AbortController().signal,
    });
    const pieces: Uint8Array[] = [];
    for await (const piece of running.body) pieces.push(piece);
    return { kind: 'result', text: Buffer.concat(pieces).toString().trimEnd() };
  } catch (thrown) {
    if (!isQueryFailure(thrown)) throw thrown;
    const errors = thrown.runtimeError === null ? thrown.validationErrors : [thrown.runtimeError];
    const lines = errors.map(
      ({ message, positions }) =>
        `${positions.map(({ begin, end }) => `${begin.line}:${begin.column}-${end.line}:${end.column}`).join(';')} ${message}`,
    );
    return { kind: 'error', text: lines.join('\n') };
  }
}
