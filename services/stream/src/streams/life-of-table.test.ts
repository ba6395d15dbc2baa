import { setTimeout as delay } from 'node:timers/promises';

import { openDatabase, StreamLogStore, StreamStore, TableStore, type Database } from '@svc/database';
import { createLogger } from '@svc/service-kit';
import { eventually } from '@svc/test-kit';

import { runRetentionJob } from '../jobs/retention-job.ts';
import { StreamLogWriter } from '../jobs/stream-log.ts';
import { startStreamProcess } from '../testing/stream-process.ts';
import { openStreamService, SOON_REPLACED, type StreamUnderTest } from '../testing/stream-under-test.ts';
import { createTopic, type TestMessage, type TestTopic } from '../testing/test-topic.ts';

const HEAD =
  '\\(key: binary nullable, value: binary nullable, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> ';
const IDS = `${HEAD} PARSE_JSON(DECODE(value) AS record(id: long))`;
const ITEM = 'PARSE_JSON(DECODE(value) AS record(id: long, price: string))';
/** Fails if the price is not a number; a message without a value has no row. */
const PRICES = `${HEAD} CASE WHEN value IS NOT NULL THEN (id: ${ITEM}.id, price: CAST(${ITEM}.price AS double)) END`;

let service: StreamUnderTest;
let topic: TestTopic;

beforeAll(async () => {
  service = await openStreamService();
  topic = await createTopic();
});

afterAll(async () => {
  await topic.close();
  await service.close();
});

/** An answer to a POST of a stream over the shared topic. */
async function post(name: string, more: Readonly<Record<string, unknown>>, to = service) {
  const { status, json } = await to.call('POST', `/stream/${name}`, {
    host: topic.host,
    port: topic.port,
    topic: topic.name,
    transform: IDS,
    intervalMillis: 100,
    ...more,
  });
  return { status, ...(json as { readonly code?: string; readonly message?: string } | undefined) };
}

async function tableOf(name: string) {
  return new TableStore(service.database).get('ann', name);
}

/** A stream that is there, and was killed. */
async function killed(name: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  expect(await post(name, more)).toEqual({ status: 200 });
  await service.call('POST', `/stream/${name}/kill`);
}

test('what a stream asks of its table is read with the members and fields at fault', async () => {
  const transform = `${HEAD} (id: offset, at: timestamp, wait: INTERVAL "P1D", list: [offset])`;
  const problems = [
    [{ mode: 'upsert' }, 'bad_request', 'keyFields: a stream with mode "upsert" needs them.'],
    [{ keyFields: ['id'] }, 'bad_request', 'keyFields: only a stream with mode "upsert" has them.'],
    [{ mode: 'upsert', keyFields: ['no'] }, 'stream_error', 'keyFields: the table has no field "no"'],
    [{ mode: 'upsert', keyFields: ['id', 'id'] }, 'stream_error', 'keyFields: the field "id" stands in it twice'],
    [
      { mode: 'upsert', keyFields: ['id', 'list'] },
      'stream_error',
      'keyFields: the field "list" is collection(long), which cannot be compared as a key',
    ],
    [{ mode: 'upsert', keyFields: ['wait'] }, 'stream_error', 'keyFields: the field "wait" is interval, which cannot be compared as a key'],
    [
      { mode: 'upsert', keyFields: ['id'], indexes: ['at', { fields: ['at', 'id'], unique: true }] },
      'stream_error',
      'indexes[1]: a stream that upserts has no unique index but the one on its keyFields',
    ],
    [{ retention: { interval: 'P1D', field: 'no' } }, 'stream_error', 'retention.field: the table has no field "no"'],
    [{ retention: { interval: 'P1D', field: 'id' } }, 'stream_error', 'retention.field: the field "id" holds no timestamps'],
    [
      { retention: { interval: '-P1D', field: 'at' } },
      'stream_error',
      'retention.interval: expected an interval such as "P30D" or "PT12H", found "-P1D"',
    ],
    [{ retention: { interval: 'PT0S', field: 'at' } }, 'stream_error', 'retention.interval: "PT0S" is not positive'],
    [{ retention: { interval: 'P2000Y', field: 'at' } }, 'stream_error', 'retention.interval: "P2000Y" is more than 1000 years'],
  ] as const;
  for (const [wishes, code, message] of problems)
    expect(await post('wishes', { transform, ...wishes })).toEqual({ status: 400, code, message });
  expect(await tableOf('wishes')).toBeUndefined();
});

test('the list shows what a stream asks of its table, where it asks for anything', async () => {
  const transform = `${HEAD} (id: offset, at: timestamp)`;
  const retention = { interval: 'P30D', field: 'at' };
  expect(await post('shown', { transform, mode: 'upsert', keyFields: ['id'], retention, evolve: true })).toEqual({ status: 200 });
  expect(await post('plain', {})).toEqual({ status: 200 });
  const { json } = await service.call('GET', '/stream');
  const createdAt = expect.any(String) as unknown;
  expect((json as readonly { readonly tableName: string }[]).filter(({ tableName }) => ['shown', 'plain'].includes(tableName))).toEqual([
    { tableName: 'plain', createdAt },
    { tableName: 'shown', createdAt, mode: 'upsert', keyFields: ['id'], retention, evolve: true },
  ]);
});

test('a wider transform adds its nullable fields to the table, beside a reader, and only if it is told to', async () => {
  const own = await createTopic();
  await own.send([{ value: '{"id":1,"name":"x"}' }]);
  await service.create('wider', own, IDS);
  await eventually(async () => expect(await service.rows('wider')).toEqual(['{"c1": 1}']));
  await service.call('POST', '/stream/wider/kill');
  const before = await tableOf('wider');
  const transform = `${HEAD} PARSE_JSON(DECODE(value) AS record(name: string nullable, id: long))`;
  const of = { topic: own.name, transform };
  expect(await post('wider', of)).toEqual({
    status: 400,
    code: 'stream_error',
    message:
      'Table "wider" exists with another type: it is collection(record(id: long)), and the transform makes collection(record(name: string nullable, id: long)). With "evolve": true it gets the fields.',
  });
  // Another session reads the rows for a while.
  const reading = service.database.session(async (client) => {
    await client.query(`BEGIN; SELECT FROM user_rows.t${before?.id ?? 0}`);
    await client.query('SELECT pg_sleep(0.5)');
    await client.query('COMMIT');
  });
  expect(await post('wider', { ...of, evolve: true })).toEqual({ status: 200 });
  await reading;
  await own.send([{ value: '{"id":2,"name":"y"}' }]);
  await eventually(async () => expect(await service.rows('wider')).toEqual(['{"c1": 1, "c2": null}', '{"c1": 2, "c2": "y"}']));
  const after = await tableOf('wider');
  expect(after).toMatchObject({ type: 'collection(record(id: long, name: string nullable))', updatedAt: expect.any(Date) as unknown });
  await own.close();
});

test('a changed, a missing and a new field that is not nullable are refused by name, and the table stays', async () => {
  await killed('kept', { transform: `${HEAD} (id: offset, name: topic)` });
  const refused = async (record: string) => (await post('kept', { transform: `${HEAD} ${record}`, evolve: true })).message;
  expect(await refused('(id: partitionNo, name: topic)')).toBe(
    'Table "kept" cannot be widened: the field id is long in the table, and int in the transform.',
  );
  expect(await refused('(id: offset)')).toBe('Table "kept" cannot be widened: the transform has no field name, and fields are only added.');
  expect(await refused('(id: offset, name: topic, part: partitionNo)')).toBe(
    'Table "kept" cannot be widened: the field part is new and not nullable, and the rows of the table have no value for it: make it nullable, as in CAST(… AS int nullable).',
  );
  expect(await tableOf('kept')).toMatchObject({ type: 'collection(record(id: long, name: string))', updatedAt: null });
});

test('of two processes that widen a table at once, one wins and the other changes nothing', async () => {
  const other = await openStreamService({ databaseUrl: service.databaseUrl, env: service.env });
  for (let round = 0; round < 3; round += 1) {
    const name = `race_${round}`;
    await killed(name);
    const wider = (field: string): Readonly<Record<string, unknown>> => ({
      transform: `${HEAD} (id: offset, ${field}: NULLIF(topic, ""))`,
      evolve: true,
    });
    const answers = await Promise.all([post(name, wider('a')), post(name, wider('b'), other)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const winner = answers[0]?.status === 200 ? 'a' : 'b';
    expect((await tableOf(name))?.type).toBe(`collection(record(id: long, ${winner}: string nullable))`);
  }
  await other.close();
});

test('a table that is deleted at the instant a stream starts is a clean answer', async () => {
  await killed('gone');
  const table = await tableOf('gone');
  let answer: ReturnType<typeof post> | undefined;
  await service.database.session(async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM tables WHERE id = $1 FOR UPDATE', [table?.id]);
    answer = post('gone', {});
    await eventually(async () => {
      const waiting = await client.query('SELECT FROM pg_locks WHERE NOT granted');
      expect(waiting.rows).not.toHaveLength(0);
    });
    await client.query(`DELETE FROM named_objects WHERE name = 'gone'`);
    await client.query(`DROP TABLE user_rows.t${table?.id ?? 0}`);
    await client.query('COMMIT');
  });
  expect(await answer).toEqual({
    status: 400,
    code: 'stream_error',
    message: 'Table "gone" was deleted at this moment: create the stream again.',
  });
});

test('rows that were kept for long enough are deleted by one of two processes, which says how many', async () => {
  const own = await createTopic();
  const rows = Array.from({ length: 95 }, (_, id) => ({ id, at: '2020-02-29T12:00:00' }));
  const all = [...rows, { id: 95, at: new Date().toISOString().slice(0, -1) }, { id: 96 }];
  await own.send(all.map((row) => ({ value: JSON.stringify(row) })));
  const transform = `${HEAD} PARSE_JSON(DECODE(value) AS record(id: long, at: timestamp nullable))`;
  await service.create('aging', own, transform, { retention: { interval: 'P30D', field: 'at' } });
  await eventually(async () => expect(await service.detail('aging')).toBe('running: 97 rows stored, 0 dead letters, lag 0'));
  const stream = await new StreamStore(service.database).get('ann', 'aging');
  if (stream === undefined) throw new Error('the stream is gone');
  const other = openDatabase({ url: service.databaseUrl, applicationName: 'test' });
  const log = new StreamLogWriter(new StreamLogStore(service.database));
  const deleteOld = (database: Database): Promise<void> =>
    runRetentionJob(
      { database, rows: database, log, logger: createLogger({ service: 'test', level: 'fatal' }), onRowsDeleted: () => undefined },
      stream,
      { signal: new AbortController().signal, rowsAtOnce: 10 },
    );
  await Promise.all([deleteOld(service.database), deleteOld(other)]);
  await log.close();
  expect(await service.rows('aging', 'c1')).toEqual(['{"c1": 95}', '{"c1": 96}']);
  await eventually(async () =>
    expect((await service.call('GET', '/stream/aging')).json).toEqual([
      { name: 'data', state: 'running', detail: '97 rows stored, 0 dead letters, lag 0' },
      { name: 'index', state: 'running', detail: '1 indexes in place' },
      { name: 'retention', state: 'running', detail: '95 rows deleted' },
    ]),
  );
  expect((await service.call('GET', '/stream/aging/logs/retention')).text).toMatch(/INFO 95 rows deleted\n/);
  expect((await service.call('GET', '/stream/aging/logs/upkeep')).json).toMatchObject({ code: 'stream_job_not_found' });
  await other.close();
  await own.close();
});

/** A message of an item, with its id as key; without a price it has no value. */
function item(id: number, price?: string, partition = id % 2): TestMessage {
  return { key: `item ${id}`, value: price === undefined ? null : JSON.stringify({ id, price }), partition };
}

const UPSERT = { mode: 'upsert', keyFields: ['id'] };

test('the last message of a key wins, and one without a row deletes', async () => {
  const own = await createTopic({ partitions: 2 });
  await own.send([item(1, '1'), item(2, '2'), item(1, '10'), item(3, '3'), item(2), item(3), item(3, '30')]);
  await service.create('latest', own, PRICES, UPSERT);
  await eventually(async () => expect(await service.rows('latest', 'c1, c2')).toEqual(['{"c1": 1, "c2": 10}', '{"c1": 3, "c2": 30}']));
  await own.send([item(1), item(4, '4'), item(3, '31')]);
  await eventually(async () => expect(await service.rows('latest', 'c1, c2')).toEqual(['{"c1": 3, "c2": 31}', '{"c1": 4, "c2": 4}']));
  await eventually(async () => expect(await service.detail('latest')).toBe('running: 7 rows stored, 0 dead letters, lag 0'));
  await own.close();
});

test('a replay overwrites no newer row, and brings back none that was deleted', async () => {
  const own = await createTopic({ partitions: 2 });
  await own.send([item(1, 'free'), item(2, 'free'), item(3, 'free'), item(4, 'free')]);
  await service.create('replayed', own, PRICES, UPSERT);
  await eventually(async () => expect(await service.detail('replayed')).toBe('running: 0 rows stored, 4 dead letters, lag 0'));
  // The letter of the second item is deleted with its key; also within the batch of the fifth.
  await own.send([item(1, '1'), item(2), item(4, 'gratis'), item(5, 'free'), item(5)]);
  // The lag that is shown may be older than these messages: of one partition the last letter must be there, of the other the row.
  const gratis = Buffer.from(JSON.stringify({ id: 4, price: 'gratis' })).toString('base64');
  await eventually(async () => {
    const { json } = await service.call('GET', '/stream/replayed/dead-letters');
    expect(json).toContainEqual(expect.objectContaining({ value: gratis }));
    expect(await service.detail('replayed')).toBe('running: 1 rows stored, 4 dead letters, lag 0');
  });
  await service.call('POST', '/stream/replayed/kill');
  const better = PRICES.replace(
    `CAST(${ITEM}.price AS double)`,
    `COALESCE(TRY_CAST(${ITEM}.price AS double), CASE WHEN ${ITEM}.price = "free" THEN 0.0e0 ELSE NULLIF(0.5e0, 0.0e0) END)`,
  );
  await service.create('replayed', own, better, UPSERT);
  const { json } = await service.call('POST', '/stream/replayed/dead-letters/replay');
  expect(json).toEqual({ replayed: 4, rows: 2, dead: 0 });
  expect(await service.rows('replayed', 'c1, c2')).toEqual(['{"c1": 1, "c2": 1}', '{"c1": 3, "c2": 0}', '{"c1": 4, "c2": 0.5}']);
  await own.close();
});

test('a table keeps rows in one way', async () => {
  const transform = `${HEAD} (id: offset, name: topic)`;
  await killed('one_way', { transform, ...UPSERT });
  expect((await post('one_way', { transform })).message).toBe(
    'Table "one_way" keeps the latest row of each key, with keyFields ["id"], and the stream appends every row.',
  );
  expect((await post('one_way', { transform, mode: 'upsert', keyFields: ['name'] })).message).toBe(
    'Table "one_way" keeps the latest row of each key, with keyFields ["id"], and the stream has keyFields ["name"].',
  );
  const own = await createTopic();
  await own.send([{ value: 'x' }]);
  await service.create('other_way', own, transform);
  await eventually(async () => expect(await service.rows('other_way')).toHaveLength(1));
  await service.call('POST', '/stream/other_way/kill');
  expect((await post('other_way', { transform, ...UPSERT })).message).toBe(
    'Table "other_way" has rows that were appended, and upserts need an empty table: delete it, or give the stream another name.',
  );
  await own.close();
});

test.each(['after-rows', 'after-commit'] as const)(
  'a process that is killed at %s leaves what the messages leave one by one',
  async (point) => {
    const apart = await openStreamService({ env: SOON_REPLACED });
    const own = await createTopic({ partitions: 2 });
    const victim = await startStreamProcess(apart.env, { point, count: 1 });
    await apart.create('survived', own, PRICES, UPSERT);
    const latest = new Map<number, number>();
    let isOver = false;
    void victim.ended.then(() => (isOver = true));
    for (let step = 0; step < 12 || !isOver; step += 1) {
      const messages = Array.from({ length: 10 }, (_, i) => {
        const [id, price] = [(step * 7 + i * 3) % 8, step * 10 + i];
        if ((step + i) % 4 === 0) latest.delete(id);
        else latest.set(id, price);
        return item(id, latest.has(id) ? String(price) : undefined);
      });
      await own.send(messages);
      await delay(30);
    }
    const expected = [...latest].map(([id, price]) => `{"c1": ${id}, "c2": ${price}}`).toSorted();
    await eventually(async () => expect(await apart.detail('survived')).toMatch(/lag 0$/));
    await eventually(async () => expect((await apart.rows('survived', 'c1, c2')).toSorted()).toEqual(expected));
    await own.close();
    await apart.close();
  },
);
