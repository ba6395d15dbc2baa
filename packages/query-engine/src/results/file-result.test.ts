import { readdir } from 'node:fs/promises';

import type { RelationLayout } from '../representation/relation-layout.ts';
import { primitive } from '../testing/types.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { streamFile, type FileStatement, type FileStream } from './file-result.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine({ spoolMegabytes: 40 });
});
afterEach(async () => {
  const folders = (await readdir(engine.spool)).filter((name) => name.startsWith('result-'));
  if (folders.length > 0) throw new Error(`folders were left behind: ${folders.join(', ')}`);
});
afterAll(() => engine.close());

const LAYOUT: RelationLayout = { kind: 'value', column: 'x', type: primitive('long') };
const FILE_FORMATS = ['sqlite', 'parquet-avro', 'parquet-raw'] as const;

/** Hashes do not compress. */
async function withFile<T>(
  format: FileStatement['format'],
  { rows, x = '(hash(range) >> 1)::BIGINT', signal = never }: { readonly rows: number; readonly x?: string; readonly signal?: AbortSignal },
  read: (stream: FileStream) => Promise<T>,
): Promise<T> {
  const relationSql = `SELECT ${x} AS x FROM range(${rows})`;
  return engine.withLease((lease) =>
    read(streamFile(lease, { format, relationSql, layout: LAYOUT, spoolDirectory: engine.spool, signal })),
  );
}

async function bytesOf(stream: FileStream): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

test.each(['parquet-avro', 'parquet-raw'] as const)('%s begins with its first row group, long before its end', async (format) => {
  const failing = `CASE WHEN range = 2000000 THEN error('E9') ELSE (hash(range) >> 1)::BIGINT END`;
  await withFile(format, { rows: 3_000_000, x: failing }, async (stream) => {
    await expect(bytesOf(stream)).rejects.toMatchObject({ failureClass: 'user-error' });
    expect(stream.progress().bytes).toBeGreaterThan(100_000 * 8);
  });
});

test.each(FILE_FORMATS)('%s: the size of a small file is known with its first bytes', async (format) => {
  await withFile(format, { rows: 10 }, async (stream) => {
    const reader = stream[Symbol.asyncIterator]();
    const first = await reader.next();
    expect(stream.size()).toBeGreaterThan(0);
    expect(stream.size()).toBe((first.value as Uint8Array).byteLength);
    expect((await reader.next()).done).toBe(true);
  });
});

test.each(FILE_FORMATS)('%s: a file that needs more than its share of the spool is a failure that says so', async (format) => {
  await withFile(format, { rows: 100_000_000 }, async (stream) => {
    await expect(bytesOf(stream)).rejects.toMatchObject({ failureClass: 'spool-full' });
    expect(stream.progress().bytes).toBeLessThan(200 * 2 ** 20);
  });
});

test.each(FILE_FORMATS)('%s: a reader that leaves, and a signal, end the writing', async (format) => {
  await withFile(format, { rows: 500_000 }, async (stream) => {
    for await (const piece of stream) if (piece.byteLength > 0) break;
  });
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 50);
  await withFile(format, { rows: 1_000_000_000, x: 'range', signal: abort.signal }, async (stream) => {
    await expect(bytesOf(stream)).rejects.toMatchObject({ failureClass: 'interrupted' });
  });
});

test('a file that is whole holds no engine, however slow its reader is', async () => {
  const small = await openTestEngine({ concurrency: 1 });
  try {
    const lease = await small.pool.lease(never);
    const relationSql = 'SELECT (hash(range) >> 1)::BIGINT AS x FROM range(200000)';
    const stream = streamFile(lease, { format: 'parquet-raw', relationSql, layout: LAYOUT, spoolDirectory: small.spool, signal: never });
    const reader = stream[Symbol.asyncIterator]();
    expect((await reader.next()).done).toBe(false);
    await (await small.pool.lease(AbortSignal.timeout(60_000))).release();
    await reader.return?.();
  } finally {
    await small.close();
  }
});
