import type { EngineKind } from './engine-kind.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runStatement } from '../statements/run-statement.ts';
import { withStreamEnd } from '../statements/stream-end.ts';
import { streamText } from '../statements/stream-text.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine({ concurrency: 1 });
});
afterAll(() => engine.close());

const prepare = (version: string): Promise<unknown> =>
  engine.withLease((lease) => lease.prepare(never, { sql: 'SELECT 1', version })) as Promise<unknown>;

async function read(
  sql: string,
  options: { readonly version: string; readonly isWhole?: boolean; readonly maxBytes?: number },
): Promise<string> {
  return engine.withLease(async (lease) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of streamText(lease, { sql, signal: never, ...options })) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  });
}

describe('a prepared statement', () => {
  it('serves the next lease, for the version that it was prepared for', async () => {
    const first = await prepare('a');
    expect(await prepare('a')).toBe(first);
    expect(await prepare('b')).not.toBe(first);
  });

  it('outlives a stream that was read to its end', async () => {
    const first = await prepare('end');
    expect(await read(withStreamEnd(`SELECT concat(range, ' ') FROM range(5000)`), { version: '' })).toHaveLength(23_890);
    expect(await prepare('end')).toBe(first);
  });

  it.each([
    ['a stream that was left', () => read(withStreamEnd(`SELECT concat(range, ' ') FROM range(5000)`), { version: '', maxBytes: 10 })],
    ['a failure', () => read(`SELECT error('no')`, { version: '', isWhole: true }).catch(String)],
    [
      'a statement that may leave something behind',
      () => engine.withLease((lease) => runStatement(lease, { sql: 'CREATE TEMP TABLE t (x int)', signal: never })),
    ],
  ])('is gone with its connection after %s', async (_, act) => {
    const first = await prepare('gone');
    await act();
    expect(await prepare('gone')).not.toBe(first);
  });

  it('reads a file anew for its new version', async () => {
    const path = join(engine.root, 'changing.csv');
    const rows = (version: string): Promise<string> =>
      read(`SELECT concat(x, ' ') FROM read_csv('${path}', auto_detect=false, header=true, columns={'x': 'VARCHAR'})`, {
        version,
        isWhole: true,
      });
    await writeFile(path, 'x\n1\n');
    expect(await rows('1')).toBe('1 ');
    expect(await rows('1')).toBe('1 ');
    await writeFile(path, 'x\n1\n2\n3\n');
    expect(await rows('2')).toBe('1 2 3 ');
  });

  it('takes other parameters each time', async () => {
    const sql = `SELECT concat($1, '!')`;
    const texts = await engine.withLease(async (lease) => {
      const found: string[] = [];
      for (const value of ['a', 'b', null]) {
        for await (const piece of streamText(lease, { sql, parameters: [value], signal: never, version: '', isWhole: true }))
          found.push(Buffer.from(piece).toString());
      }
      return found;
    });
    expect(texts).toEqual(['a!', 'b!', '!']);
  });
});

describe('an engine', () => {
  it('has the threads and the memory of its kind', async () => {
    const settings = async (kind: EngineKind): Promise<unknown> => {
      const lease = await engine.pool.lease(never, kind);
      try {
        return (
          await runStatement(lease, {
            sql: `SELECT current_setting('threads')::INTEGER AS n, current_setting('memory_limit') AS m`,
            signal: never,
          })
        )[0];
      } finally {
        await lease.release();
      }
    };
    const wide = { n: 2, m: '488.2 MiB' };
    expect([await settings('narrow'), await settings('wide')]).toEqual([{ n: 1, m: '488.2 MiB' }, wide]);
  });

  it('counts among the leases that may be held at once', async () => {
    const held = await engine.pool.lease(never, 'narrow');
    const waiting = engine.pool.lease(never, 'wide');
    expect(engine.pool.load()).toEqual({ leased: 1, waiting: 1, givenUp: 0, concurrency: 1 });
    await held.release();
    await (await waiting).release();
  });
});
