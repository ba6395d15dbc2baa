import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { sql } from 'kysely';
import { StreamStore } from '@svc/database';
import { eventually } from '@svc/test-kit';

import { openStreamService, type StreamUnderTest } from '../testing/stream-under-test.ts';
import { createTopic, type TestTopic } from '../testing/test-topic.ts';

const HEAD =
  '\\(key: binary nullable, value: binary nullable, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> ';
const IDS = `${HEAD} PARSE_JSON(DECODE(value) AS record(id: long))`;

let service: StreamUnderTest;
let topic: TestTopic;

beforeAll(async () => {
  service = await openStreamService();
  topic = await createTopic({ partitions: 2 });
  await topic.send([1, 2, 3].map((id) => ({ value: JSON.stringify({ id }) })));
});

afterAll(async () => {
  await topic.close();
  await service.close();
});

function post(more: Readonly<Record<string, unknown>> = {}) {
  return { host: topic.host, port: topic.port, topic: topic.name, transform: IDS, ...more };
}

async function errorOf(method: string, path: string, body?: unknown): Promise<unknown> {
  const { status, json } = await service.call(method, path, body);
  return { status, ...(json as object) };
}

/** An error of status 400 with a code, and a message that contains some words. */
function refusal(code: string, words: string) {
  return { status: 400, code, message: expect.stringContaining(words) as unknown };
}

test('a stream is created, listed, shown, and gone after a delete, and its table stays', async () => {
  expect(await service.call('POST', '/stream/first', post())).toMatchObject({ status: 200, text: '' });
  expect((await service.call('GET', '/stream')).json).toEqual([
    { tableName: 'first', createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/) as unknown },
  ]);
  await eventually(async () =>
    expect((await service.call('GET', '/stream/first')).json).toEqual([
      { name: 'data', state: 'running', detail: '3 rows stored, 0 dead letters, lag 0' },
    ]),
  );
  expect(await service.call('DELETE', '/stream/first')).toMatchObject({ status: 204 });
  expect(await errorOf('GET', '/stream/first')).toEqual(refusal('stream_not_found', '"first"'));
  expect(await service.rows('first')).toHaveLength(3);
});

test('of several requests that delete a stream at once, one does', async () => {
  await service.create('once', topic, IDS);
  const { db } = service.database;
  const streams = new StreamStore(service.database);
  const stream = await streams.get('ann', 'once');
  const waiting = sql<{ n: number }>`
    SELECT count(*)::int AS n FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE datname = current_database() AND locktype = 'advisory' AND mode = 'ExclusiveLock' AND NOT granted`;
  const asked = await db.transaction().execute(async (transaction) => {
    await streams.lockOut(transaction, stream?.id ?? 0);
    const answers = [1, 2, 3].map(() => service.call('DELETE', '/stream/once'));
    await eventually(async () => expect((await waiting.execute(db)).rows).toEqual([{ n: 3 }]));
    return answers;
  });
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 400, 400]);
});

test('a stream created again goes on where the table stands', async () => {
  await service.create('again', topic, IDS);
  await eventually(async () => expect(await service.rows('again')).toHaveLength(3));
  await service.call('POST', '/stream/again/kill');
  expect((await service.call('GET', '/stream/again')).json).toEqual([{ name: 'data', state: 'failed', detail: 'killed' }]);
  await topic.send([{ value: '{"id":4}' }]);
  await service.create('again', topic, IDS);
  await eventually(async () => expect(await service.detail('again')).toBe('running: 1 rows stored, 0 dead letters, lag 0'));
  await service.call('DELETE', '/stream/again?force=true');
  await service.create('again', topic, IDS);
  await eventually(async () => expect(await service.detail('again')).toBe('running: 0 rows stored, 0 dead letters, lag 0'));
  expect(await service.rows('again')).toHaveLength(4);
});

test('a paused stream reads nothing until it is resumed', async () => {
  const own = await createTopic();
  await service.create('paused', own, IDS);
  await service.call('POST', '/stream/paused/pause');
  await own.send([{ value: '{"id":1}' }]);
  expect(await service.detail('paused')).toBe('preparing: paused, 0 rows stored, 0 dead letters');
  await service.call('POST', '/stream/paused/resume');
  await eventually(async () => expect(await service.rows('paused')).toHaveLength(1));
  await own.close();
});

test('what exists already, and names that cannot be', async () => {
  await service.create('taken', topic, IDS);
  expect(await errorOf('POST', '/stream/taken', post())).toEqual(refusal('stream_already_exists', '"taken"'));
  expect(await errorOf('POST', '/stream/TAKEN', post())).toEqual(
    refusal('stream_already_exists', 'Stream "TAKEN" cannot be created: "taken" differs from it only in case.'),
  );
  expect(await errorOf('POST', '/stream/no-name', post())).toEqual(refusal('stream_name_invalid', '"no-name"'));
  expect(await errorOf('POST', '/stream/select', post())).toEqual(refusal('stream_name_invalid', 'reserved'));
});

test('a transform that cannot be used is shown with all that is wrong', async () => {
  const transform = `${HEAD} (a: nosuch, b: nope)`;
  expect(await service.call('POST', '/stream/broken', post({ transform }))).toMatchObject({
    status: 400,
    json: {
      code: 'stream_error',
      validationErrors: [
        { message: 'nosuch is not declared', positions: [{ begin: { line: 1 } }] },
        { message: 'nope is not declared', positions: [{ begin: { line: 1 } }] },
      ],
    },
  });
});

test('a table of another type, a bad index, a location and unknown members are refused', async () => {
  await service.create('typed', topic, IDS);
  await service.call('POST', '/stream/typed/kill');
  expect(await errorOf('POST', '/stream/typed', post({ transform: `${HEAD} (id: "x")` }))).toEqual(
    refusal('stream_error', 'it is collection(record(id: long)), and the transform makes collection(record(id: string))'),
  );
  expect(await errorOf('POST', '/stream/other', post({ indexes: ['nope'] }))).toEqual(refusal('stream_error', 'no field "nope"'));
  const many = Array.from({ length: 65 }, (_, i) => [`f${i}`]);
  expect(await errorOf('POST', '/stream/other', post({ indexes: many }))).toEqual(
    refusal('bad_request', 'The field indexes must have at most 64 items.'),
  );
  expect(await errorOf('POST', '/stream/other', post({ location: 's3://a/b' }))).toEqual(refusal('bad_request', 'location'));
  expect(await errorOf('POST', '/stream/other', post({ topics: 'x' }))).toEqual(refusal('bad_request', 'topics'));
  expect(await errorOf('POST', '/stream/other', { host: 'h' })).toEqual(refusal('bad_request', 'port'));
  expect(await errorOf('DELETE', '/stream/typed?force=maybe')).toEqual(refusal('bad_request', 'force'));
});

test('the broker is reached before a stream is created', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo; // a listening TCP server has this kind of address
  await new Promise((resolve) => {
    closed.close(resolve);
  });
  expect(await errorOf('POST', '/stream/none', post({ topic: 'no-such-topic' }))).toEqual(
    refusal('stream_error', 'has no topic no-such-topic'),
  );
  expect(await errorOf('POST', '/stream/none', post({ port }))).toEqual(refusal('stream_error', 'the connection was refused'));
  expect(await errorOf('POST', '/stream/none', post({ host: '10.1.2.3' }))).toEqual(refusal('stream_error', 'is not allowed'));
});

test('another namespace, a missing token and an unknown job see nothing', async () => {
  await service.create('mine', topic, IDS);
  for (const [method, path] of [
    ['GET', '/stream/mine'],
    ['DELETE', '/stream/mine'],
    ['POST', '/stream/mine/kill'],
    ['POST', '/stream/mine/pause'],
    ['GET', '/stream/mine/logs/data'],
    ['GET', '/stream/mine/dead-letters'],
    ['POST', '/stream/mine/dead-letters/replay'],
  ] as const)
    expect({ path, ...(await service.call(method, path, undefined, 'eve')) }).toMatchObject({
      path,
      status: 400,
      json: { code: 'stream_not_found' },
    });
  expect(await errorOf('GET', '/stream/mine/logs/index')).toEqual(refusal('stream_job_not_found', '"index"'));
  expect((await fetch(`${service.url}/stream`)).status).toBe(401);
  expect((await service.call('GET', '/stream', undefined, 'eve')).json).toEqual([]);
});

test('the log tells what a job does, line by line', async () => {
  await service.create('logged', topic, IDS, { indexes: ['id'] });
  await eventually(async () => {
    const { text } = await service.call('POST', '/stream/logged/logs/data');
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} DEBUG this process reads partitions/m);
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} DEBUG partition \d: \d+ rows stored up to offset \d+$/m);
  });
  expect((await service.call('GET', '/stream/logged')).json).toMatchObject([
    { name: 'data' },
    { name: 'index', state: 'running', detail: '1 indexes in place' },
  ]);
});

test('indexes that a table lacks are added, and one that its rows do not allow fails alone', async () => {
  const own = await createTopic();
  await own.send(['{"id":1}', '{"id":1}'].map((value) => ({ value })));
  await service.create('indexed', own, IDS);
  await eventually(async () => expect(await service.rows('indexed')).toHaveLength(2));
  await service.call('POST', '/stream/indexed/kill');
  await service.create('indexed', own, IDS, { indexes: [{ fields: ['id'], unique: true }] });
  await eventually(async () =>
    expect((await service.call('GET', '/stream/indexed')).json).toMatchObject([
      { name: 'data', state: 'running' },
      { name: 'index', state: 'failed', detail: expect.stringContaining('field id: another row has the same value') as unknown },
    ]),
  );
  await own.close();
});

test('what the table refuses is a dead letter, and a replay after the fix stores it once', async () => {
  const own = await createTopic();
  await own.send(['{"id":1}', '{"id":1}', 'oops', '{"id":2}'].map((value) => ({ value })));
  await service.create('fixed', own, IDS, { indexes: [{ fields: ['id'], unique: true }] });
  await eventually(async () => expect(await service.detail('fixed')).toBe('running: 2 rows stored, 2 dead letters, lag 0'));
  const { json } = await service.call('GET', '/stream/fixed/dead-letters');
  expect(json).toMatchObject([{ offset: 1, reason: expect.stringContaining('unique index') as unknown }, { offset: 2 }]);
  await service.call('POST', '/stream/fixed/kill');
  const transform = `${HEAD} TRY(PARSE_JSON(DECODE(value) AS record(id: long)))`
    .replace('TRY(', 'COALESCE(TRY(')
    .concat(', (id: 100 + offset))');
  await service.create('fixed', own, transform);
  const replays = await Promise.all([1, 2].map(() => service.call('POST', '/stream/fixed/dead-letters/replay')));
  const sum = replays.map(({ json: one }) => one as { readonly rows: number; readonly dead: number });
  expect(sum.reduce((total, { rows }) => total + rows, 0)).toBe(1);
  const rows = await service.rows('fixed');
  expect(rows).toHaveLength(3);
  expect(new Set(rows)).toEqual(new Set(['{"c1": 1}', '{"c1": 2}', '{"c1": 102}']));
  expect((await service.call('GET', '/stream/fixed/dead-letters')).json).toMatchObject([{ offset: 1 }]);
  await own.close();
});

test('a transform is tried on the latest messages without storing anything', async () => {
  expect((await service.call('POST', '/stream-validate', { transform: IDS })).json).toEqual({ type: 'collection(record(id: long))' });
  const own = await createTopic();
  await own.send(['{"id":1}', 'oops', '{"id":3}'].map((value) => ({ value })));
  const { json } = await service.call('POST', '/stream-validate', {
    host: own.host,
    port: own.port,
    topic: own.name,
    transform: IDS,
    sample: 2,
  });
  expect(json).toMatchObject({
    type: 'collection(record(id: long))',
    sample: [
      { offset: 1, row: null, error: { message: expect.any(String) as unknown, position: { begin: { line: 1 } } } },
      { offset: 2, row: { id: 3 }, error: null },
    ],
  });
  expect(await errorOf('POST', '/stream-validate', { transform: IDS, sample: 2 })).toEqual(refusal('bad_request', 'host, port and topic'));
  await own.close();
});

test('lag is a metric of each partition', async () => {
  await eventually(async () => expect(await service.metrics()).toMatch(/svc_stream_lag\{stream="\d+",partition="0"\} 0/));
});
