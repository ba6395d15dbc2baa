import { join } from 'node:path';

import type { EngineLease } from '../instances/engine-lease.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { runStatement } from './run-statement.ts';
import { withStreamEnd } from './stream-end.ts';
import { streamText } from './stream-text.ts';

const ROWS = 300_000;
let engine: TestEngine;
let file: string;
beforeAll(async () => {
  engine = await openTestEngine();
  file = join(engine.spool, 'rows.parquet');
  await engine.withLease((lease) =>
    runStatement(lease, { sql: `COPY (SELECT range AS i FROM range(${ROWS})) TO '${file}' (ROW_GROUP_SIZE 20480)`, signal: never }),
  );
});
afterAll(() => engine.close());

const LINES = withStreamEnd(`SELECT concat(i, chr(10)) AS line FROM read_parquet('$file')`);
const linesUpTo = (rows: number): string => Array.from({ length: rows }, (_, i) => `${i}\n`).join('');

/** Returns what was read of a long stream, and whether it was buffered far ahead of its reader. */
async function readLong(
  lease: EngineLease,
  { sql = LINES, maxBytes }: { readonly sql?: string; readonly maxBytes?: number } = {},
): Promise<{ text: string; isFar: boolean }> {
  const stream = streamText(lease, { sql: sql.replace('$file', file), signal: never, isLong: true, maxBytes });
  const pieces: Uint8Array[] = [];
  const free = freePermits(lease);
  let isFar = false;
  for await (const piece of stream) {
    pieces.push(piece);
    isFar ||= freePermits(lease) < free;
  }
  expect(freePermits(lease)).toBe(free);
  return { text: Buffer.concat(pieces).toString(), isFar };
}

function freePermits(lease: EngineLease): number {
  const permit = lease.takeFarPermit();
  if (permit === null) return 0;
  const others = freePermits(lease);
  permit.release();
  return 1 + others;
}

it('is produced far ahead of its reader, and gives each row once and in order', async () => {
  const { text, isFar } = await engine.withLease((lease) => readLong(lease));
  expect(isFar).toBe(true);
  expect(text).toBe(linesUpTo(ROWS));
});

it('stops at maxBytes', async () => {
  const expected = linesUpTo(200_000);
  const { text, isFar } = await engine.withLease((lease) => readLong(lease, { maxBytes: expected.length + 3 }));
  expect(isFar).toBe(true);
  expect(text).toBe(expected);
});

it('is produced as any other where the permits are taken, and gives its own back when it is left', async () => {
  await engine.withLease(async (lease) => {
    const permits = [lease.takeFarPermit(), lease.takeFarPermit()];
    expect(freePermits(lease)).toBe(0);
    expect(await readLong(lease)).toEqual({ text: linesUpTo(ROWS), isFar: false });
    for (const permit of permits) permit?.release();
    const stream = streamText(lease, { sql: LINES.replace('$file', file), signal: never, isLong: true });
    for await (const piece of stream) if (piece.length > 0 && stream.progress().rows > 100_000) break;
    expect(freePermits(lease)).toBe(permits.length);
  });
});

it.each([
  ['among short ones', 'i = 150000', (i: number) => i === 150_000],
  ['from some row on', 'i >= 290000', (i: number) => i >= 290_000],
  ['often', 'i % 5000 = 0', (i: number) => i % 5000 === 0],
])('gives each row once and in order where rows are long %s', async (_, isLong, isLongRow) => {
  const sql = withStreamEnd(
    `SELECT concat(CASE WHEN ${isLong} THEN repeat('x', 513) ELSE CAST(i AS VARCHAR) END, chr(10)) AS line FROM read_parquet('$file')`,
  );
  const { text, isFar } = await engine.withLease((lease) => readLong(lease, { sql }));
  expect(isFar).toBe(true);
  const long = 'x'.repeat(513);
  const expected = Array.from({ length: ROWS }, (_row, i) => `${isLongRow(i) ? long : i}\n`).join('');
  expect(text === expected).toBe(true); // some megabytes
});

it('counts long texts, which stop the engine long before as many short ones', async () => {
  const madeOf = async (bytes: number): Promise<number> =>
    engine.withLease(async (lease) => {
      await runStatement(lease, { sql: 'CREATE TEMP SEQUENCE made', signal: never });
      const lines = withStreamEnd(`SELECT repeat('x', ${bytes}) AS line FROM read_parquet('${file}') WHERE nextval('made') > 0`);
      for await (const piece of streamText(lease, { sql: lines, signal: never, isLong: true })) if (piece.length > 0) break;
      const [row] = await runStatement(lease, { sql: `SELECT nextval('made')::INTEGER AS rows`, signal: never });
      return Number(row?.['rows']);
    });
  expect(await madeOf(10)).toBeGreaterThan(100_000);
  expect(await madeOf(8000)).toBeLessThan(40_000);
});
