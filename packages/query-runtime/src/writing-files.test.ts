import { mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { quoteText, runStatement, type ResultFormatName } from '@svc/query-engine';

import { READER, openTestRuntime, type TestRuntime } from './testing/test-runtime.ts';

const never = new AbortController().signal;
const ROWS = 1_200_000;
let root: string;
let runtime: TestRuntime;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'svc-writing-')));
  runtime = await openTestRuntime({ root });
  // Both are so large that a result of theirs is long.
  await makeParquet('short', `SELECT range AS n, hash(range) // 2 AS h FROM range(${ROWS})`);
  await makeParquet('long', `SELECT range AS n, repeat(md5(range::VARCHAR), 10) AS t FROM range(${ROWS / 20})`);
});
afterAll(async () => {
  await runtime.close();
  await rm(root, { recursive: true, force: true });
});

async function onEngine(sql: string): Promise<readonly unknown[]> {
  const lease = await runtime.engine.lease(never);
  try {
    return await runStatement(lease, { sql, signal: never });
  } finally {
    await lease.release();
  }
}

async function makeParquet(name: string, sql: string): Promise<void> {
  await onEngine(`COPY (${sql}) TO ${quoteText(join(runtime.spool, name))} (FORMAT parquet, COMPRESSION uncompressed)`);
  await rename(join(runtime.spool, name), join(root, `${name}.parquet`));
}

/** Returns the result as read from a file: its rows, the number of misplaced ones, and a checksum. */
async function written(text: string, format: ResultFormatName): Promise<unknown> {
  const request = {
    caller: READER,
    text,
    arguments: new Map<string, string>(),
    format,
    lineEnding: 'unix' as const,
    maxBytes: undefined,
    signal: never,
  };
  const { body, progress } = await runtime.runtime.run(request);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const path = join(runtime.spool, 'result.parquet');
  await writeFile(path, Buffer.concat(pieces));
  // Decimals are equal whatever their scale is, and their hashes are not.
  const columns = text.includes('h FROM') ? 'h::HUGEINT' : 't';
  const rows = `read_parquet(${quoteText(path)}, file_row_number = true)`;
  const sql = `SELECT count(*)::INTEGER AS rows, (count(*) FILTER (n <> file_row_number))::INTEGER AS moved, bit_xor(hash(${columns}))::VARCHAR AS all FROM ${rows}`;
  expect(progress().rows).toBe(Number(((await onEngine(`SELECT count(*) AS n FROM ${rows}`))[0] as { readonly n: string }).n));
  return (await onEngine(sql))[0];
}

test.each(['parquet-raw', 'parquet-avro'] as const)('a long %s has all rows in order, be they short or long', async (format) => {
  const [short] = (await onEngine(
    `SELECT bit_xor(hash(h::HUGEINT))::VARCHAR AS all FROM read_parquet(${quoteText(join(root, 'short.parquet'))})`,
  )) as [object];
  expect(await written('SELECT n, h FROM READ("file:short.parquet")', format)).toEqual({ rows: ROWS, moved: 0, ...short });
  const [long] = (await onEngine(
    `SELECT bit_xor(hash(t))::VARCHAR AS all FROM read_parquet(${quoteText(join(root, 'long.parquet'))})`,
  )) as [object];
  expect(await written('SELECT n, t FROM READ("file:long.parquet")', format)).toEqual({ rows: ROWS / 20, moved: 0, ...long });
});

test('so it has where short rows are made of long ones', async () => {
  const [long] = (await onEngine(
    `SELECT bit_xor(hash(n % 7))::VARCHAR AS all FROM read_parquet(${quoteText(join(root, 'long.parquet'))})`,
  )) as [object];
  expect(await written('SELECT n, LENGTH(t) * 0 + n % 7 AS t FROM READ("file:long.parquet")', 'parquet-raw')).toEqual({
    rows: ROWS / 20,
    moved: 0,
    ...long,
  });
});
