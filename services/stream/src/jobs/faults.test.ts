import { createTestDatabase, eventually } from '@svc/test-kit';
import { migrate } from '@svc/database';
import kafkajs from 'kafkajs';
import { Client } from 'pg';

import { openStreamService, type StreamTestOptions, type StreamUnderTest } from '../testing/stream-under-test.ts';
import { createTopic, type TestTopic, type TestTopicOptions } from '../testing/test-topic.ts';

const HEAD =
  '\\(key: binary nullable, value: binary nullable, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> ';
const IDS = `${HEAD} PARSE_JSON(DECODE(value) AS record(id: long))`;

let service: StreamUnderTest;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await openStreamService();
});

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

afterAll(() => service.close());

async function aTopic(options: TestTopicOptions = {}): Promise<TestTopic> {
  const topic = await createTopic(options);
  closers.push(topic.close);
  return topic;
}

async function aService(options: StreamTestOptions): Promise<StreamUnderTest> {
  const opened = await openStreamService(options);
  closers.push(opened.close);
  return opened;
}

function ids(from: number, count: number): readonly { readonly value: string }[] {
  return Array.from({ length: count }, (_, i) => ({ value: JSON.stringify({ id: from + i }) }));
}

async function administer(topic: TestTopic, change: (admin: ReturnType<TestTopic['kafka']['admin']>) => Promise<unknown>): Promise<void> {
  const admin = topic.kafka.admin();
  await admin.connect();
  await change(admin);
  await admin.disconnect();
}

/** The rows of a table, by their ids. */
async function storedIds(of: StreamUnderTest, name: string): Promise<readonly number[]> {
  const rows = (await of.rows(name)).map((row) => (JSON.parse(row) as { readonly c1: number }).c1);
  return rows.toSorted((a, b) => a - b);
}

/** Expects every row once and no dead letter. */
async function expectWhole(of: StreamUnderTest, name: string, count: number): Promise<void> {
  await eventually(async () => expect(await of.detail(name)).toBe(`running: ${count} rows stored, 0 dead letters, lag 0`));
  expect(await storedIds(of, name)).toEqual(Array.from({ length: count }, (_, id) => id));
}

async function expectLogged(name: string, line: RegExp): Promise<void> {
  await eventually(async () => expect((await service.call('GET', `/stream/${name}/logs/data`)).text).toMatch(line));
}

test('a topic that was deleted and made anew is not read on', async () => {
  const topic = await aTopic();
  await topic.send(ids(0, 3));
  await service.create('renewed', topic, IDS);
  await expectWhole(service, 'renewed', 3);
  // Paused, so that the stream checks its topic as soon as it resumes.
  await service.call('POST', '/stream/renewed/pause');
  await administer(topic, async (admin) => admin.deleteTopics({ topics: [topic.name] }));
  await eventually(async () => (await createTopic({ name: topic.name })).close());
  await service.call('POST', '/stream/renewed/resume');
  await eventually(async () => expect(await service.detail('renewed')).toMatch(/^failed: The topic .* was deleted and made anew/));
  expect(await storedIds(service, 'renewed')).toEqual([0, 1, 2]);
});

test('a topic that is made anew while it is read is not read on, and messages of the new one are stored once', async () => {
  const topic = await aTopic();
  await topic.send(ids(0, 3));
  await service.create('remade', topic, IDS);
  await expectWhole(service, 'remade', 3);
  await administer(topic, async (admin) => admin.deleteTopics({ topics: [topic.name] }));
  const remade = await eventually(() => aTopic({ name: topic.name }));
  await remade.send(ids(3, 6));
  await eventually(async () => expect(await service.detail('remade')).toMatch(/^failed: The topic .* was deleted and made anew/));
  await service.create('remade', remade, IDS);
  await eventually(async () => expect(await service.detail('remade')).toBe('running: 6 rows stored, 0 dead letters, lag 0'));
  expect(await storedIds(service, 'remade')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('messages that the topic dropped before they were read are counted, and the stream goes on', async () => {
  const topic = await aTopic();
  await topic.send(ids(0, 5));
  await service.create('dropped', topic, IDS);
  await expectWhole(service, 'dropped', 5);
  await service.call('POST', '/stream/dropped/pause');
  await topic.send(ids(5, 5));
  await administer(topic, async (admin) => {
    await admin.fetchTopicOffsets(topic.name); // the client asks for the leader of a topic that it knows
    await admin.deleteTopicRecords({ topic: topic.name, partitions: [{ partition: 0, offset: '8' }] });
  });
  await service.call('POST', '/stream/dropped/resume');
  await eventually(async () =>
    expect(await service.detail('dropped')).toBe(
      'running: 7 rows stored, 0 dead letters, 3 dropped by the topic before they were read, lag 0',
    ),
  );
  expect(await storedIds(service, 'dropped')).toEqual([0, 1, 2, 3, 4, 8, 9]);
  await expectLogged('dropped', /WARN partition 0: 3 messages were dropped by the topic before they were read/);
});

test.each([
  ['full', '53100', 'its disk is full'],
  ['short', '53200', 'it is out of memory'],
])('a server that is %s is waited for, and its errors are no bad records', async (name, code, reason) => {
  const topic = await aTopic();
  await service.create(name, topic, IDS);
  await topic.send(ids(0, 2));
  await expectWhole(service, name, 2);
  const statement = (sql: string): Promise<unknown> => service.database.session((client) => client.query(sql));
  const table = await rowsOf(service, name);
  // The trigger raises the error at the server's own point: while rows are written.
  await statement(
    `CREATE FUNCTION raise_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '${code}'; END $$`,
  );
  await statement(`CREATE TRIGGER refuses BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION raise_${name}()`);
  await topic.send(ids(2, 3));
  await eventually(async () => expect(await service.detail(name)).toBe(`preparing: waits for PostgreSQL: ${reason}`));
  await statement(`DROP TRIGGER refuses ON ${table}`);
  await expectWhole(service, name, 5);
});

test('a deadlock is no bad record, and the batch is stored once it is over', async () => {
  const topic = await aTopic();
  await service.create('deadlocked', topic, IDS);
  await topic.send(ids(0, 2));
  await expectWhole(service, 'deadlocked', 2);
  const table = await rowsOf(service, 'deadlocked');
  let batchLost = false;
  await service.database.session(async (client) => {
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await topic.send(ids(2, 3));
    await eventually(async () => expect(await waitingFor(service, table)).toBe(1));
    // The batch has read the stream, and waits for its table: now each waits for the other, and the server ends one of them.
    batchLost = await client.query('LOCK TABLE streams IN ACCESS EXCLUSIVE MODE').then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: '40P01' });
        return false;
      },
    );
    await client.query('COMMIT');
  });
  await expectWhole(service, 'deadlocked', 5);
  if (batchLost) await expectLogged('deadlocked', /WARN waits for PostgreSQL: it met a deadlock/);
});

test('a server that has too many connections is waited for', async () => {
  const { url, drop } = await createTestDatabase({ migrate });
  closers.push(drop);
  const above = new Client({ connectionString: url });
  await above.connect();
  closers.push(() => above.end());
  const limited = new URL(url);
  const role = `limited_${new URL(url).pathname.slice(1)}`;
  await above.query(`CREATE ROLE "${role}" LOGIN PASSWORD 'limited' IN ROLE "${decodeURIComponent(limited.username)}"`);
  [limited.username, limited.password] = [role, 'limited'];
  const crowded = await aService({ databaseUrl: limited.href });
  const topic = await aTopic();
  await crowded.create('crowded', topic, IDS);
  await topic.send(ids(0, 2));
  await expectWhole(crowded, 'crowded', 2);
  await above.query(`ALTER ROLE "${role}" CONNECTION LIMIT 0`);
  await above.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
  await topic.send(ids(2, 3));
  await eventually(async () => expect(JSON.stringify(crowded.log)).toContain('too many connections'));
  await above.query(`ALTER ROLE "${role}" CONNECTION LIMIT -1`);
  await expectWhole(crowded, 'crowded', 5);
});

test('a batch that is too large when it is decompressed is not read, and told', async () => {
  const topic = await aTopic();
  await topic.send(ids(0, 2));
  await service.create('packed', topic, IDS);
  await expectWhole(service, 'packed', 2);
  await topic.send([{ value: Buffer.alloc(70_000_000, 32) }], kafkajs.CompressionTypes.GZIP);
  await eventually(async () =>
    expect(await service.detail('packed')).toBe(
      'preparing: waits for Kafka: A batch of messages takes more than 64 MB when it is decompressed.',
    ),
  );
  await service.call('DELETE', '/stream/packed?force=true');
});

test('messages that are being stored are lag', async () => {
  let held: Promise<unknown> = Promise.resolve();
  const slow = await aService({ inject: async () => void (await held) });
  const topic = await aTopic();
  await topic.send(ids(0, 2));
  await slow.create('lagging', topic, IDS);
  await expectWhole(slow, 'lagging', 2);
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  await topic.send(ids(2, 3));
  await eventually(async () => expect(await slow.detail('lagging')).toBe('running: 2 rows stored, 0 dead letters, lag 3 (0: 3)'));
  resolve();
  await expectWhole(slow, 'lagging', 5);
});

test('a stream fails where more of its messages are bad than it may have', async () => {
  const strict = await aService({ env: { SVC_STREAM_MAX_BAD_RATIO: '0.1' } });
  const topic = await aTopic();
  await topic.send(Array.from({ length: 100 }, (_, i) => ({ value: i % 5 === 0 ? 'oops' : JSON.stringify({ id: i }) })));
  await strict.create('spoilt', topic, IDS);
  await eventually(async () =>
    expect(await strict.detail('spoilt')).toBe('failed: Too many messages could not be stored: 20 of the latest 100 messages.'),
  );
  expect(await strict.rows('spoilt')).toHaveLength(80);
  expect((await strict.call('GET', '/stream/spoilt/dead-letters')).json).toHaveLength(20);
});

async function rowsOf({ database }: StreamUnderTest, name: string): Promise<string> {
  return database.session(async (client) => {
    const { rows } = await client.query<{ readonly id: number }>('SELECT id FROM tables WHERE name = $1', [name]);
    return `user_rows.t${rows[0]?.id ?? ''}`;
  });
}

/** Returns the number of sessions waiting for a lock on a table. */
async function waitingFor({ database }: StreamUnderTest, table: string): Promise<number> {
  return database.session(async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass', [table]);
    return rowCount ?? 0;
  });
}
