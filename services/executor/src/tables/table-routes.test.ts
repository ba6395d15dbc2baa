import { StreamStore } from '@svc/database';
import { eventually } from '@svc/test-kit';

import { ask, type AskedMethod } from '../testing/ask.ts';
import { startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';
import { refusal, tableRequests } from '../testing/table-requests.ts';

let executor: ExecutorUnderTest;
let ann: string;
let ben: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest({ concurrency: 8 });
  [ann, ben] = await Promise.all([executor.token('ann'), executor.token('ben')]);
});
afterAll(() => executor.close());

/** Sessions of this database whose vacuum waits for a lock; other suites share the server. */
const VACUUMS_WAITING = `FROM pg_stat_activity WHERE query LIKE 'VACUUM%' AND wait_event_type = 'Lock' AND datname = current_database()`;

const { answer, put, send } = tableRequests(() => ({ url: executor.url, token: ann }));

test('a table is put, shown, listed and deleted, with the bodies of the interface', async () => {
  const body = {
    type: 'Collection( record(id: LONG, `b c`: string nullable) )',
    indexes: ['id', ['id', 'b c'], { fields: ['b c'], name: 'i', unique: true }],
    location: null,
  };
  expect(await put('Films', body)).toEqual([200, '']);
  const parts = [2026, 11, 21, 1, 2, 3, 4].map((): unknown => expect.any(Number));
  const film = {
    name: 'Films',
    type: 'collection(record(id: long, `b c`: string nullable))',
    location: null,
    createdAt: parts,
    updatedAt: null,
  };
  expect(await answer('get', '/tables/Films')).toEqual([200, film]);
  await put('_b');
  await put('a');
  expect(await answer('get', '/tables?pattern=F%25')).toEqual([200, [film]]);
  const [, list] = await answer('get', '/tables');
  expect((list as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual(['Films', '_b', 'a']);
  const now = Date.now();
  const [, shown] = await answer('get', '/tables/a');
  const [year = 0, month = 0, day, hour, minute, second, nanos = 0] = (shown as { readonly createdAt: readonly number[] }).createdAt;
  expect(Math.abs(Date.UTC(year, month - 1, day, hour, minute, second, nanos / 1e6) - now)).toBeLessThan(60_000);
  for (const [name, path] of [
    ['Films', '/table/Films'],
    ['a', '/tables/a'],
    ['_b', '/table/_b'],
  ]) {
    expect(await answer('delete', path ?? '')).toEqual([204, '']);
    expect(await answer('delete', path ?? '')).toEqual(refusal('table_not_found', `Table "${name}" does not exist.`));
    expect(await answer('get', `/tables/${name}`)).toEqual(refusal('Table_not_found', `Table "${name}" does not exist.`));
  }
  expect(await answer('get', '/tables')).toEqual([200, []]);
});

test.each([
  [{ type: 'collection(int' }, 'table_type_invalid', /^The type of the table cannot be used: .* at 1:15$/],
  [{ type: 'record(a: int)' }, 'table_type_invalid', /is a collection, found record\(a: int\) at 1:1$/],
  [{ type: 'collection(nope)' }, 'table_type_invalid', /nope.* at 1:12$/],
  [{ type: 'collection(record(a: int, a: int))' }, 'table_type_invalid', /a.* at 1:\d+$/],
  [{ type: 'collection(regex)' }, 'table_type_invalid', /cannot hold values of type regex at 1:1$/],
  [{ type: 'collection(int) nullable' }, 'table_type_invalid', /not nullable/],
  [{ type: '' }, 'table_type_invalid', /at 1:1$/],
  [{ type: 'collection(int)', indexes: ['value'] }, 'table_not_indexable', /has no fields/],
  [{ type: 'collection(record(a: int))', indexes: ['b'] }, 'index_invalid', /^indexes\[0\]: the table has no field "b"$/],
  [{ type: 'collection(record(a: int))', indexes: [[]] }, 'index_invalid', /at least one field/],
  [{ type: 'collection(record(a: int))', indexes: [['a', 'a']] }, 'index_invalid', /"a" stands in it twice/],
  [
    { type: 'collection(record(a: int))', indexes: ['a', { fields: ['a'] }] },
    'index_invalid',
    /^indexes\[1\]: there is an index on "a" already$/,
  ],
  [
    {
      type: 'collection(record(a: int, b: int))',
      indexes: [
        { fields: ['a'], name: 'i' },
        { fields: ['b'], name: 'i' },
      ],
    },
    'index_invalid',
    /the name "i" already/,
  ],
  [{ type: 'collection(record(a: collection(int)))', indexes: ['a'] }, 'index_invalid', /"a" holds nested values/],
  [{ type: 'collection(int)', location: 's3://bucket/x' }, 'bad_request', /not supported yet/],
  [{ type: 'collection(int)', location: 'ftp://x' }, 'bad_request', /expected null, an s3:\/\/ or a file: location/],
  [{}, 'bad_request', /type/],
  [{ type: 'collection(int)', index: [] }, 'bad_request', /index/],
  [{ type: 'collection(int)', indexes: [1] }, 'bad_request', /indexes/],
])('%j is refused as %s', async (body, code, message) => {
  expect(await put('refused', body)).toEqual(refusal(code, message));
});

test('a type of too many words and signs is refused without being read to its end', async () => {
  expect(await put('refused', { type: `[${'a,'.repeat(30_000)}<!--` })).toEqual(
    refusal('table_type_invalid', /more than 20000 words and signs at 1:20001$/),
  );
});

test('a name is checked before what is put, and its space is shared with views', async () => {
  expect(await put('a-b', { type: 'nope' })).toEqual(refusal('table_name_invalid', /^The table's name cannot be used: "a-b"/));
  expect(await put('select')).toEqual(refusal('table_name_invalid', /reserved word/));
  expect(await put('Taken')).toEqual([200, '']);
  expect(await put('Taken')).toEqual(refusal('table_already_exists', 'Table "Taken" already exists.'));
  expect(await put('taken')).toEqual(
    refusal('table_already_exists', 'Table "taken" cannot be created: "Taken" differs from it only in case.'),
  );
  expect(await answer('put', '/views/TAKEN', { body: '1' })).toEqual(refusal('view_already_exists', /a table has this name/));
  expect(await answer('put', '/views/a_view', { body: '[1]' })).toMatchObject([200, {}]);
  expect(await put('a_view')).toEqual(refusal('table_already_exists', 'Table "a_view" cannot be created: a view has this name.'));
  expect(await answer('get', '/tables/taken')).toEqual(refusal('Table_not_found', 'Table "taken" does not exist.'));
});

test('of 20 puts at the same instant exactly one wins, views of that name among them', async () => {
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 3 === 0 ? answer('put', '/views/Race', { body: '[1]' }) : put(i % 2 === 0 ? 'race' : 'Race'),
    ),
  );
  expect(results.filter(([status]) => status === 200)).toHaveLength(1);
  expect(new Set(results.filter(([status]) => status !== 200).map(([, body]) => (body as { readonly code: string }).code))).toEqual(
    new Set(['table_already_exists', 'view_already_exists']),
  );
});

test('the table of another is, in every answer, one that never was', async () => {
  await put('secret');
  await send('secret', '{"a":1}\n');
  for (const [method, path] of [
    ['get', '/tables/NAME'],
    ['delete', '/table/NAME'],
    ['delete', '/tables/NAME'],
    ['get', '/tables_optimize/NAME'],
    ['post', '/tables_optimize/NAME'],
    ['get', '/tables_vacuum/NAME'],
    ['post', '/tables_vacuum/NAME'],
    ['post', '/tables/NAME/rows'],
  ] as const) {
    const body = path.endsWith('rows') ? { body: '{"a":1}', headers: { 'Content-Type': 'application/x-ndjson' } } : {};
    const theirs = await answer(method, path.replace('NAME', 'secret'), { as: ben, ...body });
    const none = await answer(method, path.replace('NAME', 'nobody'), { as: ben, ...body });
    expect(JSON.stringify(theirs).replace('secret', 'nobody')).toBe(JSON.stringify(none));
    expect(theirs[0]).toBe(400);
  }
  expect(await answer('get', '/tables', { as: ben })).toEqual([200, []]);
  expect(await put('secret', undefined, ben)).toEqual([200, '']);
  expect(await answer('delete', '/table/secret', { as: ben })).toEqual([204, '']);
  expect((await answer('get', '/tables/secret'))[0]).toBe(200);
});

test('a namespace claim shares tables within an organisation', async () => {
  const shared = await startExecutorUnderTest({ namespaceClaim: 'org' });
  try {
    const [eve, fay, gil, none] = await Promise.all([
      shared.token('eve', { org: 'acme' }),
      shared.token('fay', { org: 'acme' }),
      shared.token('gil', { org: 'other' }),
      shared.token('hal'),
    ]);
    const request = (method: AskedMethod, path: string, as: string, body?: object) => ask(shared.url, method, path, { as, body });
    expect((await request('put', '/tables/ours', eve, { type: 'collection(int)' })).status).toBe(200);
    expect((await request('get', '/tables/ours', fay)).status).toBe(200);
    expect((await request('get', '/tables/ours', gil)).body).toMatchObject({ code: 'Table_not_found' });
    const { status, body } = await request('get', '/tables/ours', none);
    expect([status, body]).toEqual([403, { code: 'forbidden', message: expect.stringContaining('org') }]);
  } finally {
    await shared.close();
  }
});

test('one maintenance at a time for a table, none by HEAD, and no token no answer', async () => {
  await put('kept', { type: 'collection(record(a: int))', indexes: ['a'] });
  await send('kept', Array.from({ length: 50_000 }, (_, i) => `{"a":${i}}`).join('\n'));
  const results = await Promise.all(Array.from({ length: 6 }, (_, i) => answer(i % 2 === 0 ? 'get' : 'post', '/tables_optimize/kept')));
  const refused = results.filter(([status]) => status !== 200);
  expect(refused.length).toBeLessThan(results.length);
  for (const each of refused) expect(each).toEqual(refusal('table_concurrency_error', /one at a time/));
  expect((await answer('head', '/tables_optimize/kept'))[0]).toBe(405);
  expect((await answer('get', '/tables', { as: null }))[0]).toBe(401);
  expect(await answer('put', '/tables/kept', { body: '{', headers: { 'Content-Type': 'application/json' } })).toMatchObject([
    400,
    { code: 'bad_request' },
  ]);
});

test('a vacuum that PostgreSQL gives up is an error of the vacuum', async () => {
  await put('vacuumed');
  const [status, body] = await executor.database.session(async (client) => {
    const { rows } = await client.query<{ id: string }>(`SELECT max(id) AS id FROM tables WHERE name = 'vacuumed'`);
    await client.query('BEGIN');
    await client.query(`LOCK TABLE user_rows.t${rows[0]?.id} IN SHARE UPDATE EXCLUSIVE MODE`);
    const asked = answer('post', '/tables_vacuum/vacuumed');
    // From another session: within a transaction pg_stat_activity is a fixed snapshot.
    const cancel = `SELECT pg_cancel_backend(pid) ${VACUUMS_WAITING}`;
    await eventually(async () => expect((await executor.database.session((other) => other.query(cancel))).rowCount).toBe(1));
    const answered = await asked;
    await client.query('ROLLBACK');
    return answered;
  });
  expect([status, body]).toEqual(refusal('vacuum_error', 'Table "vacuumed" could not be vacuumed now: try again later.'));
  expect(await answer('post', '/tables_vacuum/vacuumed')).toEqual([200, '']);
});

test('a vacuum whose caller leaves ends', async () => {
  await put('left');
  await executor.database.session(async (client) => {
    const { rows } = await client.query<{ id: string }>(`SELECT max(id) AS id FROM tables WHERE name = 'left'`);
    await client.query('BEGIN');
    await client.query(`LOCK TABLE user_rows.t${rows[0]?.id} IN SHARE UPDATE EXCLUSIVE MODE`);
    const caller = new AbortController();
    const headers = { Authorization: `Bearer ${ann}` };
    const asked = fetch(`${executor.url}/tables_vacuum/left`, { method: 'POST', headers, signal: caller.signal });
    const waiting = `SELECT 1 AS one ${VACUUMS_WAITING}`;
    const count = async () => (await executor.database.session((other) => other.query(waiting))).rowCount;
    await eventually(async () => expect(await count()).toBe(1));
    caller.abort();
    await expect(asked).rejects.toThrow('aborted');
    await eventually(async () => expect(await count()).toBe(0));
    await client.query('ROLLBACK');
  });
  await eventually(async () => expect(await answer('post', '/tables_vacuum/left')).toEqual([200, '']));
});

test('large bodies that make much of little are refused in a moment', async () => {
  const began = performance.now();
  const fields = Array.from({ length: 5000 }, (_, i) => `f${i}:int`).join(',');
  expect(await put('huge', { type: `collection(record(${fields}))` })).toEqual(
    refusal('table_type_invalid', /a table has at most 1600 fields, found more than 2000 at 1:1/),
  );
  const indexes = Array.from({ length: 10_000 }, (_, i) => i);
  expect(await put('huge', { type: 'collection(record(a: int))', indexes })).toEqual(
    refusal('bad_request', 'The field indexes must have at most 64 items.'),
  );
  expect(performance.now() - began).toBeLessThan(2000);
});

test('a table that a stream writes to stays, until the stream has ended', async () => {
  await put('streamed');
  const { database } = executor;
  const streams = new StreamStore(database);
  const { rows } = await database.session((client) =>
    client.query<{ readonly id: number }>("SELECT id FROM tables WHERE name = 'streamed'"),
  );
  const settings = {
    host: 'h',
    port: 1,
    topic: 't',
    transform: '',
    intervalMillis: 1,
    indexes: [],
    security: null,
    retention: null,
    keyFields: null,
  };
  const stream = await database.db.transaction().execute((transaction) =>
    streams.start(transaction, {
      ...{ namespace: 'ann', name: 'streamed', subject: 'ann', tableId: rows[0]?.id ?? 0, settings, sealedPassword: null },
      ...{ clusterId: 'c', topicId: 't', groupId: 'g', indexState: 'none', indexDetail: '', rowsBefore: 0, deadBefore: 0 },
    }),
  );
  expect(await answer('delete', '/table/streamed')).toEqual(
    refusal('table_concurrency_error', 'Table "streamed" is in use: a stream writes to it.'),
  );
  await streams.change(database.db, stream ?? { id: 0, run: 0 }, { from: ['running'], state: 'failed', reason: 'killed' });
  expect(await answer('delete', '/table/streamed')).toEqual([204, '']);
});
