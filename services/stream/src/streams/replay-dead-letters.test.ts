import { eventually } from '@svc/test-kit';

import type { Inject } from '../jobs/injection.ts';
import { openStreamService } from '../testing/stream-under-test.ts';
import { createTopic } from '../testing/test-topic.ts';

const HEAD =
  '\\(key: binary nullable, value: binary nullable, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> ';
const STRICT = `${HEAD} PARSE_JSON(DECODE(value) AS record(id: long))`;
const LENIENT = `${HEAD} COALESCE(TRY(PARSE_JSON(DECODE(value) AS record(id: long))), (id: 100 + offset))`;

test('letters that are taken while a replay transforms them are not stored by it, and it locks none meanwhile', async () => {
  let meanwhile: () => Promise<void> = async () => undefined;
  const inject: Inject = (point) => (point === 'before-transform' ? meanwhile() : undefined);
  const service = await openStreamService({ inject });
  const topic = await createTopic({ partitions: 2 });
  await topic.send(Array.from({ length: 6 }, (_, i) => ({ value: 'oops', partition: i % 2 })));
  await service.create('mended', topic, STRICT);
  await eventually(async () => expect(await service.detail('mended')).toBe('running: 0 rows stored, 6 dead letters, lag 0'));
  await service.call('POST', '/stream/mended/kill');
  await service.create('mended', topic, LENIENT);
  const replay = () => service.call('POST', '/stream/mended/dead-letters/replay');
  meanwhile = async () => {
    meanwhile = async () => undefined;
    await service.database.session(async (client) => {
      await client.query("SET lock_timeout = '2s'");
      await client.query('DELETE FROM stream_dead_letters WHERE partition = 0 AND "offset" < 2');
      await client.query('RESET lock_timeout');
      const inTransaction = "application_name = 'svc-stream-rows' AND datname = current_database() AND xact_start IS NOT NULL";
      expect((await client.query(`SELECT FROM pg_stat_activity WHERE ${inTransaction}`)).rowCount).toBe(0);
    });
  };
  expect((await replay()).json).toEqual({ replayed: 4, rows: 4, dead: 0 });
  expect(await service.rows('mended')).toEqual(['{"c1": 100}', '{"c1": 101}', '{"c1": 102}', '{"c1": 102}']);
  await topic.close();
  await service.close();
});

test('large letters are listed a few at a time, and all replayed', async () => {
  const service = await openStreamService();
  const topic = await createTopic({ config: { 'max.message.bytes': '12000000' } });
  for (let i = 0; i < 5; i += 1) await topic.send([{ value: Buffer.alloc(9_000_000, 'x') }]);
  await service.create('large', topic, STRICT);
  await eventually(async () => expect(await service.detail('large')).toBe('running: 0 rows stored, 5 dead letters, lag 0'));
  const list = async (after: number) =>
    (await service.call('GET', `/stream/large/dead-letters?after=${after}`)).json as readonly { readonly id: number }[];
  const first = await list(0);
  expect(first).toHaveLength(4);
  const rest = await list(first.at(-1)?.id ?? 0);
  expect(rest).toHaveLength(1);
  expect(await list(rest.at(-1)?.id ?? 0)).toEqual([]);
  await service.call('POST', '/stream/large/kill');
  await service.create('large', topic, LENIENT);
  expect((await service.call('POST', '/stream/large/dead-letters/replay')).json).toEqual({ replayed: 5, rows: 5, dead: 0 });
  await topic.close();
  await service.close();
});
