import { readdir, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { copyToFile } from './copy-to-file.ts';
import { EngineFailure } from './engine-failure.ts';
import { runStatement } from './run-statement.ts';
import { withStreamEnd } from './stream-end.ts';
import { streamText, type TextStream } from './stream-text.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

async function textOf(stream: TextStream): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const rowsOf = (sql: string, maxBytes?: number): Promise<{ text: string; progress: unknown }> =>
  engine.withLease(async (lease) => {
    const stream = streamText(lease, { sql: withStreamEnd(sql), signal: never, maxBytes });
    return { text: await textOf(stream), progress: stream.progress() };
  });

describe('streamText', () => {
  it('gives short, long and multi-byte rows in order, byte for byte', async () => {
    const expected = Array.from({ length: 10_000 }, (_, i) => `${'é'.repeat(i % 23)}${i}\n`).join('');
    const { text, progress } = await rowsOf(`SELECT concat(repeat('é', (range % 23)::INTEGER), range, chr(10)) FROM range(10000)`);
    expect(text).toBe(expected);
    expect(progress).toEqual({ rows: 10_000, bytes: Buffer.byteLength(expected), isTruncated: false });
  });

  it('gives rows of some megabytes', async () => {
    const { text } = await rowsOf(`SELECT concat(repeat('x', 3000000), range, chr(10)) FROM range(3)`);
    expect(text).toBe([0, 1, 2].map((i) => `${'x'.repeat(3_000_000)}${i}\n`).join(''));
  });

  it('takes parameters', async () => {
    await engine.withLease(async (lease) => {
      expect(await textOf(streamText(lease, { sql: withStreamEnd('SELECT concat($1, $2)'), parameters: ['a', 2], signal: never }))).toBe(
        'a2',
      );
    });
  });

  it('gives nothing for no rows', async () => {
    expect(await rowsOf(`SELECT 'x' FROM range(0)`)).toEqual({ text: '', progress: { rows: 0, bytes: 0, isTruncated: false } });
  });

  it('keeps the order of a sorted statement, its end last', async () => {
    const { text } = await rowsOf(`SELECT concat(x, chr(10)) FROM (SELECT range x FROM range(100000) ORDER BY x DESC)`);
    expect(text).toBe(Array.from({ length: 100_000 }, (_, i) => `${99_999 - i}\n`).join(''));
  });

  it.each([
    [5, 1],
    [4, 1],
    [3, 0],
    [7, 1],
    [8, 2],
    [12, 3],
    [1000, 3],
  ])('stops before the row that goes past %i bytes', async (maxBytes, rows) => {
    const { text, progress } = await rowsOf(`SELECT concat('a', range, 'é') FROM range(3)`, maxBytes);
    expect(text).toBe(['a0é', 'a1é', 'a2é'].slice(0, rows).join(''));
    expect(progress).toEqual({ rows, bytes: rows * 4, isTruncated: rows < 3 });
  });

  it('fails where the statement fails after much was delivered, and asks why', async () => {
    const sql = withStreamEnd(
      `SELECT concat(CASE WHEN range = 400000 THEN error('E9')::BIGINT ELSE range END, 'xxxxxxxxxxxxxxxx') FROM range(500000)`,
    );
    await engine.withLease(async (lease) => {
      await expect(textOf(streamText(lease, { sql, signal: never }))).rejects.toMatchObject({ failureClass: 'internal' });
      const why = new EngineFailure('cast', 'why');
      await expect(textOf(streamText(lease, { sql, signal: never, explain: () => Promise.resolve(why) }))).rejects.toBe(why);
    });
  });

  it('gives its first rows when a few more are made, however long they are', async () => {
    const sql = withStreamEnd(`SELECT CASE WHEN range = 20000 THEN error('E9') ELSE repeat('x', 500) END FROM range(500000)`);
    await engine.withLease(async (lease) => {
      const stream = streamText(lease, { sql, signal: never });
      await expect(textOf(stream)).rejects.toMatchObject({ failureClass: 'internal' });
      expect(stream.progress().rows).toBeGreaterThanOrEqual(2048);
    });
  });

  it('fails at once, with the reason, where nothing was delivered yet', async () => {
    await engine.withLease(async (lease) => {
      await expect(
        textOf(streamText(lease, { sql: withStreamEnd(`SELECT CAST('x' AS INTEGER)::VARCHAR`), signal: never })),
      ).rejects.toMatchObject({ failureClass: 'cast' });
    });
  });

  it('fails on a NULL row', async () => {
    await expect(rowsOf(`SELECT CASE WHEN range = 3 THEN NULL ELSE 'x' END FROM range(5)`)).rejects.toMatchObject({
      failureClass: 'internal',
    });
  });

  it('is interrupted in the middle, and the lease can be used again', async () => {
    await engine.withLease(async (lease) => {
      const abort = new AbortController();
      const stream = streamText(lease, {
        sql: withStreamEnd(`SELECT concat(range, 'xxxxxxxxxxxxxxxx') FROM range(1000000000)`),
        signal: abort.signal,
      });
      const reading = (async () => {
        let pieces = 0;
        for await (const piece of stream) if (piece.length > 0 && ++pieces === 5) abort.abort();
      })();
      await expect(reading).rejects.toMatchObject({ failureClass: 'interrupted' });
      expect(await runStatement(lease, { sql: 'SELECT 1 AS x', signal: never })).toEqual([{ x: 1 }]);
    });
  });

  it('does not run ahead of its reader', async () => {
    await engine.withLease(async (lease) => {
      const stream = streamText(lease, { sql: withStreamEnd(`SELECT repeat('x', 1000) FROM range(100000000)`), signal: never });
      const before = process.memoryUsage().rss;
      for await (const piece of stream) {
        expect(piece.length).toBeGreaterThan(0);
        await new Promise((resolve) => {
          setTimeout(resolve, 500);
        });
        break;
      }
      expect(process.memoryUsage().rss - before).toBeLessThan(250 * 2 ** 20);
    });
  });
});

/** Returns whether this process has the file open. */
async function isOpen(path: string): Promise<boolean> {
  const open = await readdir('/proc/self/fd');
  return (await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))).includes(path);
}

test.each(['left', 'cancelled'] as const)(
  'a stream that was %s in its middle has closed what it read when the lease is back',
  async (how) => {
    const path = join(engine.root, `${how}.csv`);
    await writeFile(path, Array.from({ length: 400_000 }, (_, i) => `${i},a line of some length\n`).join(''));
    const client = new AbortController();
    await engine.withLease(async (lease) => {
      const sql = withStreamEnd(`SELECT concat(a, b, chr(10)) FROM read_csv('${path}', columns={'a': 'INTEGER', 'b': 'VARCHAR'})`);
      const rows = streamText(lease, { sql, signal: client.signal })[Symbol.asyncIterator]();
      await rows.next();
      expect(await isOpen(path)).toBe(true);
      await delay(50); // what was asked for ahead has come, and nothing runs that could be interrupted
      if (how === 'cancelled') client.abort(new Error('gone'));
      await rows.return?.();
    });
    expect(await isOpen(path)).toBe(false);
  },
);

test('copyToFile writes a Parquet file that reads back, with its footer', async () => {
  const path = `${engine.spool}/out.parquet`;
  await engine.withLease(async (lease) => {
    const copied = await copyToFile(lease, {
      sql: 'SELECT range AS x FROM range(1000)',
      path,
      metadata: { "it's": 'a"b' },
      signal: never,
    });
    expect(copied).toEqual({ rows: 1000 });
    expect(
      await copyToFile(lease, {
        sql: 'SELECT $1 AS x',
        parameters: ['y'],
        path: `${engine.spool}/parameter.parquet`,

        signal: never,
      }),
    ).toEqual({ rows: 1 });
    expect((await stat(path)).size).toBeGreaterThan(100);
    expect(await runStatement(lease, { sql: `SELECT sum(x)::INTEGER AS total FROM read_parquet('${path}')`, signal: never })).toEqual([
      { total: 499_500 },
    ]);
    const metadata = await runStatement(lease, {
      sql: `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${path}')`,
      signal: never,
    });
    expect(metadata).toContainEqual({ key: "it's", value: 'a"b' });
    await expect(
      copyToFile(lease, { sql: `SELECT CAST('x' AS INTEGER)`, path: `${engine.spool}/bad.parquet`, signal: never }),
    ).rejects.toMatchObject({ failureClass: 'cast' });
  });
});
