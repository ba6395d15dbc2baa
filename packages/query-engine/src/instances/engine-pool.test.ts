import { spawn } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { runStatement } from '../statements/run-statement.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import type { EngineLease } from './engine-lease.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

const SLOW = 'SELECT count(*) FROM range(100000000000) t(x) WHERE hash(x) % 7 = 8';

describe('a lease', () => {
  it('waits until another is given back, first come first served', async () => {
    const order: string[] = [];
    const [a, b] = await Promise.all([engine.pool.lease(never), engine.pool.lease(never)]);
    const third = engine.pool.lease(never).then((lease) => {
      order.push('third');
      return lease;
    });
    const fourth = engine.pool.lease(never).then((lease) => {
      order.push('fourth');
      return lease;
    });
    expect(engine.pool.load()).toEqual({ leased: 2, waiting: 2, givenUp: 0, concurrency: 2 });
    await a.release();
    const c = await third;
    await b.release();
    const d = await fourth;
    expect(order).toEqual(['third', 'fourth']);
    await Promise.all([c.release(), d.release()]);
    expect(engine.pool.load()).toEqual({ leased: 0, waiting: 0, givenUp: 0, concurrency: 2 });
  });

  it('is of the kind that it was asked for, also after waiting', async () => {
    const held = await Promise.all([engine.pool.lease(never, 'narrow'), engine.pool.lease(never, 'narrow')]);
    const waiting = engine.pool.lease(never, 'wide');
    await Promise.all(held.map((lease) => lease.release()));
    const lease = await waiting;
    expect([...held, lease].map(({ kind }) => kind)).toEqual(['narrow', 'narrow', 'wide']);
    await lease.release();
  });

  it('is not waited for after the signal', async () => {
    const held = await Promise.all([engine.pool.lease(never), engine.pool.lease(never)]);
    const abort = new AbortController();
    const waiting = engine.pool.lease(abort.signal);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ failureClass: 'interrupted' });
    expect(engine.pool.load().waiting).toBe(0);
    await Promise.all(held.map((lease) => lease.release()));
  });

  it.each([
    ['given back', (lease: EngineLease) => runStatement(lease, { sql: 'SELECT 1 AS x', signal: never })],
    ['broken', (lease: EngineLease) => lease.step(never, () => Promise.reject(new Error('FATAL Error: broken')))],
  ])('admits whoever had to wait, once one is %s', async (_, use) => {
    const [used, other] = await Promise.all([engine.pool.lease(never), engine.pool.lease(never)]);
    const waiting = engine.pool.lease(never);
    await Promise.allSettled([use(used)]);
    await used.release();
    const admitted = await waiting;
    expect(await runStatement(admitted, { sql: 'SELECT 1 AS x', signal: never })).toEqual([{ x: 1 }]);
    await Promise.all([admitted.release(), other.release()]);
    expect(engine.pool.load()).toEqual({ leased: 0, waiting: 0, givenUp: 0, concurrency: 2 });
  });

  it('leaves no temporary table to the next', async () => {
    await engine.withLease((lease) => runStatement(lease, { sql: 'CREATE TEMP TABLE mine AS SELECT 1 AS x', signal: never }));
    for (let i = 0; i < 2; i++) {
      const found = await engine.withLease((lease) =>
        runStatement(lease, { sql: `SELECT count(*)::INTEGER n FROM duckdb_tables() WHERE table_name = 'mine'`, signal: never }),
      );
      expect(found).toEqual([{ n: 0 }]);
    }
  });

  it('is interrupted by its signal, also when it aborts before the statement has begun', async () => {
    await engine.withLease(async (lease) => {
      for (const delay of [0, 0, 50]) {
        const abort = new AbortController();
        const running = runStatement(lease, { sql: SLOW, signal: abort.signal });
        if (delay === 0) abort.abort();
        else setTimeout(() => abort.abort(), delay);
        await expect(running).rejects.toMatchObject({ failureClass: 'interrupted' });
      }
      expect(await runStatement(lease, { sql: 'SELECT 1 AS x', signal: never })).toEqual([{ x: 1 }]);
    });
  });

  it('is interrupted although the statement still waits for a thread of the process', async () => {
    const busy = Promise.all(Array.from({ length: 12 }, () => promisify(pbkdf2)('x', 'y', 300_000, 32, 'sha256')));
    await engine.withLease(async (lease) => {
      const abort = new AbortController();
      const running = runStatement(lease, { sql: SLOW, signal: abort.signal });
      abort.abort();
      await expect(running).rejects.toMatchObject({ failureClass: 'interrupted' });
    });
    await busy;
  });

  it('ends what still runs when given back', async () => {
    const lease = await engine.pool.lease(never);
    const running = runStatement(lease, { sql: SLOW, signal: never }).catch((thrown: unknown) => thrown);
    await lease.release();
    expect(await running).toMatchObject({ failureClass: 'interrupted' });
    await expect(runStatement(lease, { sql: 'SELECT 1', signal: never })).rejects.toThrow('given back');
  });
});

describe('the sandbox', () => {
  it('reads the roots and nothing else', async () => {
    await writeFile(`${engine.root}/in.txt`, 'inside');
    await mkdir(`${engine.root}-beside`);
    await writeFile(`${engine.root}-beside/out.txt`, 'outside');
    await symlink('/etc', `${engine.root}/etc`);
    await engine.withLease(async (lease) => {
      const read = (path: string): Promise<unknown> =>
        runStatement(lease, { sql: `SELECT content FROM read_text('${path}')`, signal: never });
      expect(await read(`${engine.root}/in.txt`)).toEqual([{ content: 'inside' }]);
      for (const path of [
        '/etc/hostname',
        `${engine.root}/../../etc/hostname`,
        `${engine.root}/etc/hostname`,
        `${engine.root}-beside/out.txt`,
        '/proc/self/environ',
        'https://example.com/x',
      ]) {
        await expect(read(path)).rejects.toMatchObject({ name: 'EngineFailure' });
      }
    });
  });

  it.each([
    'SET threads = 1',
    "SET memory_limit = '1TB'",
    'SET enable_external_access = true',
    'RESET lock_configuration',
    'INSTALL httpfs',
    'LOAD httpfs',
    "ATTACH '/etc/x.db'",
    "COPY (SELECT 1) TO '/etc/x.csv'",
    "SET allowed_directories = ['/']",
    "SELECT * FROM glob('/etc/*')",
  ])('refuses %s', async (sql) => {
    await engine.withLease(async (lease) => {
      await expect(runStatement(lease, { sql, signal: never })).rejects.toMatchObject({ name: 'EngineFailure' });
    });
  });

  it('works in UTC', async () => {
    const rows = await engine.withLease((lease) =>
      runStatement(lease, {
        sql: `SELECT current_setting('TimeZone') AS zone, current_setting('max_expression_depth')::INTEGER AS depth`,
        signal: never,
      }),
    );
    expect(rows).toEqual([{ zone: 'UTC', depth: 1500 }]);
  });
});

test.each([
  ['ASOF_JOIN', 'FROM range(3) a(x) ASOF JOIN range(3) b(y) ON a.x >= b.y'],
  ['IE_JOIN', 'FROM range(3) a(x) JOIN (SELECT range AS y, range + 1 AS z FROM range(3)) b ON a.x >= b.y AND a.x < b.z'],
  ['PIECEWISE_MERGE_JOIN', 'FROM range(3) a(x) JOIN range(3) b(y) ON a.x >= b.y'],
])('plans %s however few rows it expects', async (join, from) => {
  const rows = await engine.withLease((lease) => runStatement(lease, { sql: `EXPLAIN (FORMAT json) SELECT * ${from}`, signal: never }));
  expect(rows[0]?.['explain_value']).toEqual(expect.stringContaining(`"name": "${join}"`));
});

describe('an engine that broke is replaced', () => {
  const spills = async (): Promise<readonly string[]> => (await readdir(engine.spool)).filter((name) => name.startsWith('spill-'));

  it.each([
    ['ran out of memory', "SELECT length(string_agg(hash(x)::VARCHAR, '')) FROM range(100000000) t(x)", 'out-of-memory'],
    [
      'had no room to spill',
      'CREATE TEMP TABLE t AS SELECT hash(x) AS a, hash(x + 1) AS b, hash(x + 2) AS c FROM range(40000000) t(x)',
      'spool-full',
    ],
    ['met a fatal error', null, 'internal'],
  ])('since it %s', async (_, sql, failureClass) => {
    await engine.withLease((lease) => runStatement(lease, { sql: 'SELECT 1', signal: never }));
    const before = await spills();
    await engine.withLease(async (lease) => {
      const running =
        sql === null
          ? lease.step(never, () => Promise.reject(new Error('FATAL Error: the database has been invalidated')))
          : runStatement(lease, { sql, signal: never });
      await expect(running).rejects.toMatchObject({ failureClass });
    });
    const after = await spills();
    expect(before.filter((name) => !after.includes(name))).toHaveLength(1);
    const held = await Promise.all([engine.pool.lease(never), engine.pool.lease(never)]);
    for (const lease of held) expect(await runStatement(lease, { sql: 'SELECT 1 AS x', signal: never })).toEqual([{ x: 1 }]);
    await Promise.all(held.map((lease) => lease.release()));
    expect(engine.pool.load()).toEqual({ leased: 0, waiting: 0, givenUp: 0, concurrency: 2 });
  });
});

test('the memory of a statement is given back although its engine has nothing more to do', async () => {
  const held = await Promise.all([engine.pool.lease(never), engine.pool.lease(never, 'narrow')]);
  for (const lease of held) {
    const sql = `SELECT current_setting('allocator_background_threads') AS "givesBack"`;
    expect(await runStatement(lease, { sql, signal: never })).toEqual([{ givesBack: true }]);
  }
  await Promise.all(held.map((lease) => lease.release()));
});

test('an engine that does not stop is given up: others have its place, and it is closed when it ends', async () => {
  let given = 0;
  const small = await openTestEngine({ concurrency: 1, giveUpMillis: 50, onGivenUp: () => (given += 1) });
  const abort = new AbortController();
  const lease = await small.pool.lease(abort.signal);
  // The engine looks for no interrupt while it searches one text.
  const search = runStatement(lease, {
    sql: `SELECT contains(repeat('a', 4000000 + x), concat(repeat('a', 10000), 'b')) FROM range(1) t(x)`,
    signal: abort.signal,
  });
  const next = small.pool.lease(never);
  await sleep(300);
  abort.abort();
  await expect(search).rejects.toMatchObject({ failureClass: 'interrupted' });
  await lease.release();
  const other = await next;
  expect([given, small.pool.load().givenUp]).toEqual([1, 1]);
  await runStatement(other, { sql: 'SELECT 1', signal: never });
  await other.release();
  while (small.pool.load().givenUp > 0) await sleep(20);
  expect(small.pool.load()).toEqual({ leased: 0, waiting: 0, givenUp: 0, concurrency: 1 });
  await small.close();
}, 60_000);

test('a closed pool ends what runs, refuses who waits and leaves no file', async () => {
  const small = await openTestEngine({ concurrency: 1 });
  const lease = await small.pool.lease(never);
  const running = runStatement(lease, { sql: SLOW, signal: never }).catch((thrown: unknown) => thrown);
  const waiting = small.pool.lease(never).catch((thrown: unknown) => thrown);
  await small.pool.close();
  expect(await running).toMatchObject({ failureClass: 'interrupted' });
  expect(await waiting).toMatchObject({ failureClass: 'interrupted' });
  expect(await readdir(small.spool)).toEqual([]);
  await expect(small.pool.lease(never)).rejects.toMatchObject({ failureClass: 'interrupted' });
  await small.close();
});

test('a process that exits while a statement runs does not hang', async () => {
  const source = `
    import { openTestEngine, never } from ${JSON.stringify(fileURLToPath(new URL('../testing/with-engine.ts', import.meta.url)))};
    const engine = await openTestEngine();
    const lease = await engine.pool.lease(never);
    lease.run(never, (connection) => connection.run(${JSON.stringify(SLOW)})).catch(() => {});
    setTimeout(() => process.exit(7), 200);`;
  const child = spawn(process.execPath, ['--conditions=@svc/source', '--input-type=module-typescript', '-e', source], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
  });
  const code = await new Promise((resolve) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      resolve('hung');
    }, 100_000);
    child.on('exit', (status) => {
      clearTimeout(limit);
      resolve(status);
    });
  });
  expect(code).toBe(7);
});
