import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';

import { createNetworkGuard } from '@svc/network-guard';
import { copyRows } from '@svc/pg-rows';
import {
  adminQuery,
  createTestDatabase,
  createTestRole,
  eventually,
  openTcpProxy,
  type TcpProxy,
  type TestDatabase,
  type TestRole,
} from '@svc/test-kit';

import type { PgAccess } from './pg-access.ts';
import { PgConnections, type PgConnectionsOptions } from './pg-connections.ts';

let database: TestDatabase;
let role: TestRole;
let proxy: TcpProxy;
let access: PgAccess;
const opened: PgConnections[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  role = await createTestRole(database.url);
  await adminQuery(
    database.url,
    'CREATE TABLE things AS SELECT i, repeat(i::text, 3) AS t FROM generate_series(1, 200) AS i',
    'GRANT SELECT, INSERT ON things TO public',
  );
  const url = new URL(database.url);
  proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
  access = {
    server: 'shop',
    host: '127.0.0.1',
    port: proxy.port,
    database: url.pathname.slice(1),
    username: role.name,
    password: role.password,
    properties: { sslmode: 'disable' },
    identity: 'good',
  };
});

afterEach(() => proxy.setFault(null));

afterAll(async () => {
  for (const connections of opened) await connections.close();
  await proxy.close();
  await role.drop();
  await database.drop();
});

function open(options: Partial<PgConnectionsOptions> = {}): PgConnections {
  const connections = new PgConnections({
    guard: createNetworkGuard({ allow: ['127.0.0.1'] }),
    statementTimeoutMs: 60_000,
    idleMs: 100,
    ...options,
  });
  opened.push(connections);
  return connections;
}

const never = new AbortController().signal;

function ask(connections: PgConnections, sql: string, { of = access, signal = never } = {}): Promise<unknown> {
  return connections.transaction(of, signal, async ({ client }) => (await client.query<object>(sql)).rows);
}

async function sessions(where = 'true'): Promise<number> {
  const [row] = await adminQuery(
    database.url,
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = '${role.name}' AND ${where}`,
  );
  return Number(row?.['n']);
}

test('nothing can be written', async () => {
  await expect(ask(open(), `INSERT INTO public.things VALUES (0, '')`)).rejects.toThrow('cannot execute INSERT in a read-only transaction');
});

test('what the settings of user and database say of printing does not count', async () => {
  await adminQuery(database.url, `ALTER ROLE ${role.name} SET DateStyle = 'German'`, `ALTER ROLE ${role.name} SET TimeZone = 'Asia/Tokyo'`);
  const answer = await ask(open(), `SELECT ('2024-01-02'::date)::text AS d, '2024-01-02 00:00:00+00'::timestamptz::text AS t`);
  expect(answer).toEqual([{ d: '2024-01-02', t: '2024-01-02 00:00:00+00' }]);
});

test('there are few connections, used again, and closed when nobody uses them', async () => {
  const connections = open({ idleMs: 100 });
  const before = proxy.connections();
  await Promise.all(Array.from({ length: 20 }, () => ask(connections, 'SELECT 1')));
  expect(proxy.connections() - before).toBeLessThanOrEqual(4);
  await eventually(async () => expect(await sessions()).toBe(0));
});

test('where the server takes fewer connections, the others wait for one', async () => {
  const few = await createTestRole(database.url);
  await adminQuery(database.url, `ALTER ROLE ${few.name} CONNECTION LIMIT 1`);
  const of = { ...access, username: few.name, password: few.password, identity: 'few' };
  const connections = open({ idleMs: 100 });
  const before = proxy.connections();
  const first = connections.transaction(of, never, async ({ client }) => {
    await eventually(async () => expect(proxy.connections() - before).toBeGreaterThan(1));
    return (await client.query<object>('SELECT 0 AS n')).rows;
  });
  const all = [first, ...[1, 2, 3, 4].map((n) => ask(connections, `SELECT ${n} AS n`, { of }))];
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4].map((n) => [{ n }]));
  await connections.close();
  await few.drop();
});

test('a server that takes no connection at all is told to each', async () => {
  const none = await createTestRole(database.url);
  await adminQuery(database.url, `ALTER ROLE ${none.name} CONNECTION LIMIT 0`);
  const of = { ...access, username: none.name, password: none.password, identity: 'none' };
  const connections = open();
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => ask(connections, 'SELECT 1', { of })));
  for (const answer of answers)
    expect(String(answer.status === 'rejected' && answer.reason)).toContain('the database server takes no more connections');
  await none.drop();
});

test('a rejected password is tried once in each pause, however many queries ask', async () => {
  let now = 0;
  const connections = open({ now: () => now });
  const wrong = { ...access, password: 'wrong', identity: 'wrong' };
  const attempts = async (): Promise<number> => {
    const before = proxy.connections();
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => ask(connections, 'SELECT 1', { of: wrong })));
    for (const answer of answers)
      expect(String(answer.status === 'rejected' && answer.reason)).toContain(
        'pgsql:shop: authentication failed: the database server refused the credentials that are registered for shop',
      );
    return proxy.connections() - before;
  };
  expect(await attempts()).toBe(1);
  expect(await attempts()).toBe(0);
  now = 1001;
  expect(await attempts()).toBe(1);
  now = 2500;
  expect(await attempts()).toBe(0);
  now = 3002;
  expect(await attempts()).toBe(1);
  expect(await ask(connections, 'SELECT 1 AS x')).toEqual([{ x: 1 }]);
});

test('without a password nobody else’s is used', async () => {
  process.env['PGPASSWORD'] = role.password;
  try {
    await expect(ask(open(), 'SELECT 1', { of: { ...access, password: null, identity: 'none' } })).rejects.toThrow('authentication failed');
  } finally {
    delete process.env['PGPASSWORD'];
  }
});

test('a cancelled statement ends on the server, and the place is free again', async () => {
  const connections = open();
  const abort = new AbortController();
  const slow = Array.from({ length: 4 }, () => ask(connections, 'SELECT pg_sleep(100)', { signal: abort.signal }));
  await eventually(async () => expect(await sessions(`state = 'active'`)).toBe(4));
  const waiting = ask(connections, 'SELECT 1', { signal: abort.signal });
  abort.abort(new Error('gone'));
  for (const one of [...slow, waiting]) await expect(one).rejects.toThrow('the query was cancelled');
  await eventually(async () => expect(await sessions(`state = 'active'`)).toBe(0));
  expect(await ask(connections, 'SELECT 1 AS x')).toEqual([{ x: 1 }]);
});

test('a statement that takes too long is ended by the server', async () => {
  await expect(ask(open({ statementTimeoutMs: 50 }), 'SELECT pg_sleep(100)')).rejects.toMatchObject({ code: '57014' });
});

test('a server that says nothing does not hold a cancelled query', async () => {
  proxy.setFault({ afterBytes: 0, kind: 'stall' });
  const abort = new AbortController();
  const stalled = ask(open(), 'SELECT 1', { signal: abort.signal });
  setTimeout(() => abort.abort(new Error('gone')), 50);
  await expect(stalled).rejects.toThrow('the query was cancelled');
});

const [STEP, TIME_MS] = process.env['SVC_EVERY_BYTE'] === '1' ? [1, 600_000] : [31, 30_000];

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;

test(
  'rows are all or none, wherever the connection breaks, and nothing stays open',
  async () => {
    const copy = async (connections: PgConnections): Promise<string> =>
      connections.transaction(access, never, async ({ client, abort }) => {
        let text = '';
        for await (const piece of copyRows({ client, select: 'SELECT * FROM public.things', signal: never, abort }))
          text += piece.toString();
        return text;
      });
    const whole = await copy(open());
    await eventually(async () => expect(await sessions()).toBe(0));
    const before = await openFiles();
    const answers: string[] = [];
    // Breaking a connection at every byte takes too long for one run. Each run starts at a random offset.
    for (let afterBytes = 1 + randomInt(STEP); afterBytes < 4096; afterBytes += STEP) {
      proxy.setFault({ afterBytes, kind: 'die' });
      const connections = open();
      answers.push(await copy(connections).catch((thrown: unknown) => `after ${afterBytes} bytes: ${String(thrown)}`));
      await connections.close();
    }
    const failures = answers.filter((answer) => answer !== whole);
    expect(failures.length).toBeGreaterThan(50);
    expect(failures.filter((failure) => !/connection|Connection/.test(failure))).toEqual([]);
    expect(failures.join(' ')).not.toContain(role.password);
    await eventually(async () => expect(await sessions()).toBe(0));
    await eventually(async () => expect(await openFiles()).toBeLessThanOrEqual(before + 1));
  },
  TIME_MS,
);

test('after failures the connections are as few as before, and the next query has one', async () => {
  const connections = open({ statementTimeoutMs: 1000 });
  expect(await ask(connections, 'SELECT 1 AS x')).toEqual([{ x: 1 }]);
  await eventually(async () => expect(await sessions()).toBe(0));
  const before = await openFiles();
  for (const kind of ['die', 'stall'] as const)
    for (const afterBytes of [0, 1, 100, 500, 1000]) {
      proxy.setFault({ afterBytes, kind });
      const abort = new AbortController();
      const asked = Array.from({ length: 8 }, () => ask(connections, 'TABLE public.things', { signal: abort.signal }));
      const given = setTimeout(() => abort.abort(new Error('gone')), kind === 'stall' ? 100 : 5000);
      for (const answer of await Promise.allSettled(asked)) expect(answer.status).toBe('rejected');
      clearTimeout(given);
    }
  proxy.setFault(null);
  await expect(ask(connections, 'SELECT * FROM nothing_here')).rejects.toMatchObject({ code: '42P01' });
  await expect(ask(connections, 'SELECT pg_sleep(100)')).rejects.toMatchObject({ code: '57014' });
  expect(await ask(connections, 'SELECT 1 AS x')).toEqual([{ x: 1 }]);
  await eventually(async () => expect(await sessions()).toBe(0));
  await eventually(async () => expect(await openFiles()).toBeLessThanOrEqual(before + 1));
}, 30_000);

test.each([
  ['a port on which nobody listens', { port: 9 }, 'the database server refused the connection'],
  ['a host that does not exist', { host: 'nowhere.invalid' }, /the host of the database server (is not known|could not be looked up)/],
  ['a database that does not exist', { database: 'nothing_here' }, 'the database that is registered for shop does not exist'],
  ['a server without TLS where it is required', { properties: { sslmode: 'require' } }, 'offers no TLS connection that can be trusted'],
  ['an sslmode that is none', { properties: { sslmode: 'maybe' } }, 'sslmode must be one of disable, allow, prefer'],
  ['no user', { username: null }, 'no user name is registered for shop'],
])('%s is told as such', async (_, changes, message) => {
  await expect(ask(open(), 'SELECT 1', { of: { ...access, ...changes, identity: 'changed' } })).rejects.toThrow(message);
});

test('TLS is tried, and done without where the server has none', async () => {
  const before = proxy.connections();
  expect(await ask(open(), 'SELECT 1 AS x', { of: { ...access, properties: {}, identity: 'prefer' } })).toEqual([{ x: 1 }]);
  expect(proxy.connections() - before).toBe(2);
});
