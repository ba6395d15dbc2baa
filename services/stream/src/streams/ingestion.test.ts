import { eventually } from '@svc/test-kit';
import kafkajs, { type Producer } from 'kafkajs';

import { openStreamService, type StreamUnderTest } from '../testing/stream-under-test.ts';
import { createTopic, type TestTopic, type TestTopicOptions } from '../testing/test-topic.ts';

const HEAD =
  '\\(key: binary nullable, value: binary nullable, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> ';
const ORDERS = `${HEAD} PARSE_JSON(DECODE(value) AS record(id: long, price: double))`;

let service: StreamUnderTest;
const topics: TestTopic[] = [];

beforeAll(async () => {
  service = await openStreamService();
});

afterAll(async () => {
  for (const topic of topics) await topic.close();
  await service.close();
});

async function aTopic(options: TestTopicOptions = {}): Promise<TestTopic> {
  const topic = await createTopic(options);
  topics.push(topic);
  return topic;
}

function order(id: number): string {
  return JSON.stringify({ id, price: id / 2 });
}

test('messages become rows, those before the stream and those after', async () => {
  const topic = await aTopic({ partitions: 3 });
  await topic.send([1, 2, 3].map((id) => ({ value: order(id), partition: id % 3 })));
  await service.create('orders', topic, ORDERS);
  await eventually(async () => expect(await service.rows('orders')).toHaveLength(3));
  await topic.send([4, 5].map((id) => ({ value: order(id) })));
  await eventually(async () => expect(await service.rows('orders', 'c1')).toEqual([1, 2, 3, 4, 5].map((id) => `{"c1": ${id}}`)));
  await eventually(async () => expect(await service.detail('orders')).toBe('running: 5 rows stored, 0 dead letters, lag 0'));
});

test('NaN and the infinities of a row are kept', async () => {
  const topic = await aTopic();
  await topic.send(['NaN', 'Infinity', '-Infinity'].map((value) => ({ value })));
  await service.create('endless', topic, `${HEAD} (price: CAST(DECODE(value) AS double))`);
  await eventually(async () =>
    expect(await service.rows('endless', 'c1')).toEqual(['{"c1": "-Infinity"}', '{"c1": "Infinity"}', '{"c1": "NaN"}']),
  );
});

test('a bad record costs one record: it is kept with its bytes, its provenance, its reason and its place', async () => {
  const topic = await aTopic();
  await topic.send([{ value: order(1) }, { key: 'k', value: 'no json' }, { value: null }, { value: order(2) }]);
  await service.create('partly', topic, ORDERS.replace('value: binary nullable', 'value: binary'));
  await eventually(async () => expect(await service.detail('partly')).toBe('running: 2 rows stored, 2 dead letters, lag 0'));
  const { json } = await service.call('GET', '/stream/partly/dead-letters');
  expect(json).toMatchObject([
    {
      topic: topic.name,
      partition: 0,
      offset: 1,
      key: 'aw==',
      value: Buffer.from('no json').toString('base64'),
      position: { begin: { line: 1 } },
    },
    { offset: 2, value: null, reason: 'the message has no value, and the transform declares it as binary' },
  ]);
});

test('a timestamp that is none, such as one in nanoseconds, costs one record', async () => {
  const topic = await aTopic({ config: { 'message.timestamp.after.max.ms': '9223372036854775807' } });
  const [micros, nanos] = [1_700_000_000_000_000, 1_700_000_000_000_000_000];
  await topic.send([0, micros, nanos].map((timestamp) => ({ value: 'x', timestamp })));
  const transform = `${HEAD} (at: offset, seen: timestamp)`;
  await service.create('timed', topic, transform);
  await eventually(async () => expect(await service.detail('timed')).toBe('running: 2 rows stored, 1 dead letters, lag 0'));
  const { json } = await service.call('GET', '/stream/timed/dead-letters');
  const reason = `the timestamp of the message, ${nanos}, is beyond the year 275760: Kafka counts milliseconds since 1970`;
  expect(json).toMatchObject([{ offset: 2, timestamp: String(nanos), reason }]);
  expect((await service.call('POST', '/stream/timed/dead-letters/replay')).json).toEqual({ replayed: 1, rows: 0, dead: 1 });
  const { host, port, name } = topic;
  expect((await service.call('POST', '/stream-validate', { host, port, topic: name, transform, sample: 2 })).json).toMatchObject({
    sample: [
      { offset: 1, timestamp: '+055840-11-08T22:13:20.000', error: null },
      { offset: 2, timestamp: String(nanos), row: null, error: { message: reason } },
    ],
  });
});

test.each([
  ['gzip', kafkajs.CompressionTypes.GZIP],
  ['snappy', kafkajs.CompressionTypes.Snappy],
  ['lz4', kafkajs.CompressionTypes.LZ4],
  ['zstd', kafkajs.CompressionTypes.ZSTD],
] as const)('messages that are compressed with %s are read', async (codec, type) => {
  const topic = await aTopic();
  await topic.send(
    Array.from({ length: 500 }, (_, id) => ({ value: order(id) })),
    type,
  );
  await service.create(`packed_${codec}`, topic, ORDERS);
  await eventually(async () => expect(await service.rows(`packed_${codec}`)).toHaveLength(500));
});

test('aborted transactions are not read, and the offsets that they leave are no lag', async () => {
  const topic = await aTopic();
  const producer = topic.kafka.producer({ transactionalId: `${topic.name}-t`, maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  for (const [id, isKept] of [
    [1, true],
    [2, false],
    [3, true],
    [4, false],
  ] as const) {
    const transaction = await producer.transaction();
    await transaction.send({ topic: topic.name, messages: [{ value: order(id) }] });
    await (isKept ? transaction.commit() : transaction.abort());
  }
  await producer.disconnect();
  await service.create('committed', topic, ORDERS);
  await eventually(async () => expect(await service.rows('committed', 'c1')).toEqual(['{"c1": 1}', '{"c1": 3}']));
  await eventually(async () => expect(await service.detail('committed')).toBe('running: 2 rows stored, 0 dead letters, lag 0'));
});

test('no message of an aborted transaction is read, whatever its key is and whichever transactions are beside it', async () => {
  const topic = await aTopic();
  const [outer, inner] = await Promise.all(['outer', 'inner'].map((id) => openTransactions(topic, id)));
  const aborted = await outer?.transaction();
  // A 32-bit 0, which the record that ends an aborted transaction has too.
  await aborted?.send({ topic: topic.name, messages: [{ key: Buffer.alloc(4), value: order(1) }, { value: order(2) }] });
  const within = await inner?.transaction();
  await within?.send({ topic: topic.name, messages: [{ value: order(3) }] });
  await within?.abort();
  await aborted?.send({ topic: topic.name, messages: [{ value: order(4) }] });
  await aborted?.abort();
  const kept = await outer?.transaction();
  await kept?.send({ topic: topic.name, messages: [{ key: Buffer.alloc(4), value: order(5) }] });
  await kept?.commit();
  await Promise.all([outer?.disconnect(), inner?.disconnect()]);
  await service.create('nested', topic, ORDERS);
  await eventually(async () => expect(await service.detail('nested')).toBe('running: 1 rows stored, 0 dead letters, lag 0'));
  expect(await service.rows('nested', 'c1')).toEqual(['{"c1": 5}']);
});

async function openTransactions(topic: TestTopic, id: string): Promise<Producer> {
  const producer = topic.kafka.producer({ transactionalId: `${topic.name}-${id}`, maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  return producer;
}

test('a result of NULL stores nothing, and new partitions are found', async () => {
  const topic = await aTopic();
  await service.create('odd', topic, `${HEAD} CASE WHEN offset % 2 = 1 THEN (at: offset, part: partitionNo) END`);
  await topic.send([1, 2, 3, 4].map(() => ({ value: 'x' })));
  await eventually(async () => expect(await service.rows('odd')).toEqual(['{"c1": 1, "c2": 0}', '{"c1": 3, "c2": 0}']));
  const admin = topic.kafka.admin();
  await admin.connect();
  await admin.createPartitions({ topicPartitions: [{ topic: topic.name, count: 2 }] });
  await admin.disconnect();
  // A producer with cached metadata of the topic drops messages for a partition that it does not know.
  const producer = topic.kafka.producer();
  await producer.connect();
  await producer.send({ topic: topic.name, messages: [1, 2].map(() => ({ value: 'x', partition: 1 })) });
  await producer.disconnect();
  await eventually(async () => expect((await service.rows('odd')).filter((row) => row.includes('"c2": 1'))).not.toHaveLength(0));
});
