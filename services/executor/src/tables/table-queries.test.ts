import { readdir } from 'node:fs/promises';

import { eventually } from '@svc/test-kit';

import { startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let token: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest({ concurrency: 4, spoolMegabytes: 10 });
  token = await executor.token('ann');
});
afterAll(() => executor.close());

async function ask(method: string, path: string, body: string | null, contentType = 'text/plain', signal?: AbortSignal) {
  const answer = await fetch(executor.url + path, {
    method,
    body,
    signal: signal ?? null,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': contentType },
  });
  return { status: answer.status, text: await answer.text() };
}

async function create(name: string, type: string, rows: readonly string[] = []): Promise<void> {
  expect(await ask('PUT', `/tables/${name}`, JSON.stringify({ type }), 'application/json')).toEqual({ status: 200, text: '' });
  if (rows.length > 0) await append(name, rows);
}

async function append(name: string, rows: readonly string[]): Promise<void> {
  const sent = await ask('POST', `/tables/${name}/rows`, rows.join('\n'), 'application/x-ndjson');
  expect(sent).toEqual({ status: 200, text: JSON.stringify({ rows: rows.length }) });
}

const query = (text: string, signal?: AbortSignal) => ask('POST', '/query', text, 'text/plain', signal);

/** The lines of a query's answer. */
async function lines(text: string): Promise<readonly string[]> {
  const answer = await query(text);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.text.split('\n').slice(0, -1);
}

/** A statement on the database itself; its first row. */
const onServer = (text: string): Promise<unknown> =>
  executor.database.session(async (client) => (await client.query<object>(text)).rows[0]);

/** The rows that lie in the spool. */
const spooled = async (): Promise<readonly string[]> => (await readdir(executor.spool)).filter((name) => /^(tables|upload)-/.test(name));

const ALL_TYPES = `collection(record(
  b: byte nullable, s: short nullable, i: int nullable, l: long nullable, f: float nullable, d: double nullable, m: decimal nullable,
  o: bool nullable, t: string nullable, y: date nullable, h: time nullable, z: timestamp nullable, v: interval nullable, x: binary nullable,
  n: any nullable, c: collection(collection(int) nullable) nullable,
  r: record(k: collection(record(m: decimal, z: timestamp nullable)), \`a b\`: interval nullable) nullable))`;

test('a row of every type comes out of a query as it went in', async () => {
  const row = `{"b":-128,"s":32767,"i":-2147483648,"l":-9223372036854775808,"f":0.1,"d":-5e-324,"m":12345678901234567890.123456789012345678,"o":false,"t":"é😀,\\"\\n","y":"0001-01-01","h":"23:59:59.999999","z":"9999-12-31T23:59:59.999999","v":"P1Y2M-3DT4H5M6.000007S","x":"AAEC/w==","n":{"z":[1.5,null],"a":"x"},"c":[[1,2],null,[]],"r":{"k":[{"m":0.000000000000000001,"z":"1969-12-31T23:59:59.999999"},{"m":-1.5,"z":null}],"a b":"PT-0.000001S"}}`;
  const nothing = `{${'bsilfdmotyhzvxncr'
    .split('')
    .map((name) => `"${name}":null`)
    .join(',')}}`;
  const empty = `{"t":"","x":"","c":[],"r":{"k":[],"a b":null},"n":{},"d":"NaN","f":"Infinity"}`;
  await create('everything', ALL_TYPES, [row, nothing, empty]);
  expect(await lines('SELECT * FROM everything')).toEqual([
    row,
    nothing,
    nothing
      .replace('"t":null', '"t":""')
      .replace('"x":null', '"x":""')
      .replace('"c":null', '"c":[]')
      .replace('"r":null', '"r":{"k":[],"a b":null}')
      .replace('"n":null', '"n":{}'),
  ]);
  const asked = await ask('POST', '/query', 'SELECT d, f FROM everything WHERE t = ""');
  expect(asked.text).toBe('{"d":null,"f":null}\n');
  expect(await lines('SELECT COUNT(*) AS n FROM everything WHERE IS_NAN(d) AND f > 1e38')).toEqual(['{"n":1}']);
});

test('filters, columns, limits and joins give what they mean, over several tables at once', async () => {
  await create('people', 'collection(record(id: int, name: string nullable, born: date nullable, city: int))', [
    '{"id":1,"name":"Ann","born":"1990-05-01","city":1}',
    '{"id":2,"name":"Bo","born":null,"city":2}',
    '{"id":3,"name":null,"born":"1970-01-01","city":1}',
  ]);
  await create('cities', 'collection(record(id: int, name: string))', ['{"id":1,"name":"Lyon"}', '{"id":2,"name":"Oslo"}']);
  expect(await lines('SELECT name FROM people WHERE city = 1 AND born < DATE "1980-01-01"')).toEqual(['null']);
  expect(await lines('SELECT id FROM people WHERE id IN [1, 3] AND name IS NOT NULL')).toEqual(['1']);
  expect(await lines('SELECT id FROM people LIMIT 2')).toEqual(['1', '2']);
  expect(await lines('SELECT id FROM people WHERE city = 1 LIMIT 1 OFFSET 1')).toEqual(['3']);
  expect(await lines('SELECT c.name, COUNT(*) AS n FROM people p JOIN cities c ON c.id = p.city GROUP BY c.name')).toEqual([
    '{"name":"Lyon","n":2}',
    '{"name":"Oslo","n":1}',
  ]);
  expect(await lines('SELECT id FROM people p WHERE EXISTS (SELECT 1 FROM people q WHERE q.city = p.city AND q.id > p.id)')).toEqual(['1']);
  expect(await lines('COUNT(People)')).toEqual(['3']);
});

const CONDITIONS = [
  'i = 2',
  'i <> 2',
  'i >= 2 AND i < 1000000',
  '9223372036854775807 >= l',
  'l = 9007199254740993',
  'i IN [1, 2, 2147483647]',
  'i IS NULL',
  't > "é"',
  't = ""',
  't <= "a\'b"',
  't IN ["Z", "a", "😀"]',
  't IS NOT NULL AND t < "a"',
  'm = 0.1',
  'm > 0.000000000000000001',
  'm <> 0',
  'y < DATE "1970-01-01"',
  'y <> DATE "2024-02-29"',
  'z = TIMESTAMP "1969-12-31T23:59:59.999999"',
  'z > TIMESTAMP "2000-01-01T00:00:00"',
  'o = true',
  'NOT o',
  'd > 0.1',
  'd = 0',
  'f < 1e38',
  'i = 2 OR t = "a"',
  'i = i',
] as const;

test('a filter that PostgreSQL decides keeps the rows that the engine would keep, in their order', async () => {
  const rows = [
    '{"i":1,"l":9007199254740993,"t":"a","m":0.1,"y":"2024-02-29","z":"1969-12-31T23:59:59.999999","o":true,"d":0.1,"f":1}',
    '{"i":2,"l":-1,"t":"Z","m":0,"y":"1969-12-31","z":"2024-01-01T00:00:00","o":false,"d":"NaN","f":"Infinity"}',
    '{"i":2147483647,"l":9223372036854775807,"t":"é","m":0.000000000000000001,"y":"0001-01-01","z":"9999-12-31T00:00:00","d":-0.0}',
    '{"i":null,"t":"","m":-5}',
    `{"i":2,"t":"a'b","o":null}`,
    '{"t":"😀","d":"-Infinity","f":"NaN"}',
    '{}',
  ];
  await create(
    'mixed',
    `collection(record(id: int, i: int nullable, l: long nullable, t: string nullable, m: decimal nullable, y: date nullable,
      z: timestamp nullable, o: bool nullable, d: double nullable, f: float nullable))`,
    [...rows, ...rows].map((row, id) => row.replace(/^\{/, `{"id":${id}`).replace(/^(\{"id":\d+)(?=")/, '$1,')),
  );
  // Evaluated by the engine, all at once.
  const decided = await lines(`SELECT id, [${CONDITIONS.map((condition) => `(${condition})`).join(', ')}] AS holds FROM mixed`);
  const all = decided.map((line) => JSON.parse(line) as { readonly id: number; readonly holds: readonly (boolean | null)[] });
  for (const [k, condition] of CONDITIONS.entries()) {
    const kept = all.filter(({ holds }) => holds[k] === true).map(({ id }) => String(id));
    const found = await lines(`SELECT id FROM mixed WHERE ${condition}${k % 2 === 0 ? ' LIMIT 3 OFFSET 1' : ''}`);
    expect([condition, found]).toEqual([condition, k % 2 === 0 ? kept.slice(1, 4) : kept]);
  }
});

test('what a filter does not reach still fails, and what it drops does not', async () => {
  await create('texts', 'collection(record(id: int, s: string))', ['{"id":1,"s":"10"}', '{"id":2,"s":"x"}']);
  expect(await lines('SELECT INT(s) AS n FROM texts WHERE id = 1')).toEqual(['{"n":10}']);
  const failed = await query('SELECT INT(s) AS n FROM texts WHERE id >= 1');
  expect([failed.status, JSON.parse(failed.text)]).toMatchObject([
    400,
    { runtimeError: { positions: [{ begin: { line: 1, column: 8 } }] } },
  ]);
});

test('a query sees all rows that were stored before it, and no part of an upload', async () => {
  await create('growing', 'collection(int)');
  for (let round = 1; round <= 3; round += 1) {
    await append('growing', ['1', '2']);
    expect(await lines('COUNT(growing)')).toEqual([String(round * 2)]);
  }
  const together = async (): Promise<void> => {
    for (let i = 0; i < 10; i += 1) expect(Number((await lines('SUM(growing)'))[0]) % 3).toBe(0);
  };
  await Promise.all([together(), append('growing', ['1', '2']), append('growing', ['1', '2'])]);
});

test('views and queries over a table that is gone say so, and the same query runs when it is back', async () => {
  await create('short_lived', 'collection(record(a: int))', ['{"a":1}']);
  expect((await ask('PUT', '/views/over_it', 'SELECT a + 1 AS b FROM short_lived')).status).toBe(200);
  expect(await lines('SELECT b FROM over_it WHERE b = 2')).toEqual(['2']);
  expect((await ask('DELETE', '/tables/short_lived', null)).status).toBe(204);
  const gone = await query('SELECT b FROM over_it WHERE b = 2');
  expect([gone.status, gone.text]).toEqual([400, expect.stringContaining('short_lived')]);
  await create('short_lived', 'collection(record(a: int))', ['{"a":1}', '{"a":1}']);
  expect(await lines('SELECT b FROM over_it WHERE b = 2')).toEqual(['2', '2']);
});

test('rows that need more room than the spool has are refused, and the room is free again', async () => {
  const long = `"${'x'.repeat(100_000)}"`;
  const half = Array.from({ length: 60 }, () => long);
  await create('large', 'collection(string)', half);
  await append('large', half);
  const refused = await query('SELECT LENGTH(t) AS n FROM large t');
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
    400,
    { runtimeError: { message: expect.stringContaining('SVC_SPOOL_MB') } },
  ]);
  expect((await query('SELECT LENGTH(t) AS n FROM large t LIMIT 80')).status).toBe(200);
  await ask('DELETE', '/tables/large', null);
  expect(await spooled()).toEqual([]);
});

describe('of a table that is larger than the spool, PostgreSQL finds the rows that a query needs', () => {
  beforeAll(async () => {
    await create('orders', 'collection(record(id: long, buyer: string, day: date, text: string))');
    await create('wanted', 'collection(record(id: long, note: string))', ['{"id":77,"note":"x"}', '{"id":78,"note":"y"}']);
    const { id = 0 } = (await onServer(`SELECT id FROM tables WHERE name = 'orders'`)) as { readonly id?: number };
    await onServer(`INSERT INTO user_rows.t${id} SELECT g, CASE WHEN g = 77 THEN 'ann' ELSE 'bob' END,
      CASE WHEN g = 77 THEN (now() AT TIME ZONE 'UTC')::date + 1 ELSE date '2020-01-01' END, repeat('x', 100) FROM generate_series(0, 149999) g`);
    await ask('PUT', '/views/order_view', 'SELECT o.id AS number, o.buyer, o.day, o.text FROM orders o');
  });

  test.each([
    ['in a view', 'SELECT v.number, v.text FROM order_view v WHERE v.number = 77'],
    ['in a declaration', 'few := SELECT o.id AS n, o.text FROM orders o; SELECT f.n, f.text FROM few f WHERE f.n = 77'],
    ['in a query', 'SELECT q.id, q.text FROM (SELECT * FROM orders) q WHERE q.id = 77'],
    [
      'in a union',
      'SELECT q.id, q.text FROM (SELECT o.id, o.text FROM orders o UNION ALL SELECT w.id, w.note AS text FROM wanted w WHERE w.id > 77) q WHERE q.id = 77',
    ],
    ['by the key of a join', 'SELECT o.id, o.text FROM wanted w JOIN orders o ON o.id = w.id WHERE w.id = 77'],
    ['by a condition of a join', 'SELECT o.id, o.text FROM wanted w JOIN orders o ON o.id = w.id AND o.buyer = "ann"'],
    [
      'by the key of groups',
      'SELECT g.id, g.text FROM (SELECT o.id, o.text, COUNT(*) AS n FROM orders o GROUP BY o.id, o.text) g WHERE g.id = 77',
    ],
    ['by the caller', 'SELECT o.id, o.text FROM orders o WHERE o.buyer = USER()'],
    ['by the time', 'SELECT o.id, o.text FROM orders o WHERE o.day > TODAY()'],
    ['by a computed time', 'SELECT o.id, o.text FROM orders o WHERE o.day >= TODAY() - interval "7 days"'],
    ['by a computed number', '\\(n: long) -> SELECT o.id, o.text FROM orders o WHERE o.id IN [n + 1, -1]', '?n=76'],
    ['by one of several conditions', 'SELECT o.id, o.text FROM orders o WHERE o.buyer = "ann" AND o.id > 3 OR o.buyer IS NULL'],
    ['used twice', 'SELECT a.id, b.text FROM orders a JOIN orders b ON a.day = b.day WHERE a.id = 77 AND b.buyer = "ann"'],
    ['in an order', 'SELECT v.number, v.text FROM order_view v WHERE v.number > 5 ORDER BY v.day DESC LIMIT 1'],
    ['by an argument', '\\(n: long) -> SELECT o.id, o.text FROM orders o WHERE o.id = n', '?n=77'],
    ['with a limit', '\\(n: int) -> SELECT v.number, v.text FROM order_view v LIMIT n OFFSET 77', '?n=1'],
  ])('%s', async (_, text, args = '') => {
    const answer = await ask('POST', `/query${args}`, text);
    expect(answer).toEqual({ status: 200, text: expect.stringMatching(/^\{"\w+":77,"text":"x{100}"\}\n$/) });
  });

  test('and all of it where positions count its rows, which is too much', async () => {
    const refused = await query('SELECT i, o.text FROM orders o AT i WHERE o.id = 77');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('SVC_SPOOL_MB')]);
  });
});

test('positions count the rows that a condition drops', async () => {
  await create('placed', 'collection(record(id: int))', ['{"id":5}', '{"id":3}', '{"id":4}', '{"id":3}']);
  expect(await lines('SELECT i, p.id FROM placed p AT i WHERE p.id = 3')).toEqual(['{"i":1,"id":3}', '{"i":3,"id":3}']);
});

test('a client that goes away ends the scan, on the server too', async () => {
  await create('many', 'collection(int)', ['1']);
  const { id = 0 } = (await onServer('SELECT max(id) AS id FROM tables')) as { readonly id?: number };
  await onServer(`INSERT INTO user_rows.t${id} SELECT g FROM generate_series(1, 500000) g`);
  const running = `FROM pg_stat_activity WHERE query LIKE 'COPY (%' AND state = 'active' AND datname = current_database()`;
  const scansRunning = () => onServer(`SELECT count(*) AS n ${running}`);
  const controller = new AbortController();
  // While the table is locked, the scan cannot finish before it is observed.
  await executor.database.session(async (lock) => {
    await lock.query(`BEGIN; LOCK TABLE user_rows.t${id} IN ACCESS EXCLUSIVE MODE`);
    const asked = query('SUM(many)', controller.signal);
    await eventually(async () => expect(await scansRunning()).toEqual({ n: 1 }));
    controller.abort();
    await expect(asked).rejects.toThrow('aborted');
    await eventually(async () => expect(await scansRunning()).toEqual({ n: 0 }));
    await lock.query('ROLLBACK');
  });
  await eventually(async () => expect(await spooled()).toEqual([]));
  await eventually(() => expect(executor.admission.load().running).toBe(0));
});
