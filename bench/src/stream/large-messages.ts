import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import type { Row } from '../table.ts';
import { PARAMETERS } from './orders.ts';
import { watchMemory } from './process-usage.ts';
import type { StreamWorld } from './stream-world.ts';

const TOPIC = 'large';
const PARTITIONS = 4;
const MESSAGE_BYTES = 10_000_000;
const MOST_MEGABYTES = 500;

/** Measures messages of 10 MB while the table is locked, so that nothing can be stored, and afterwards. */
export async function measureLargeMessages(world: StreamWorld, { isSmall }: { readonly isSmall: boolean }): Promise<readonly Row[]> {
  const count = isSmall ? 12 : 60;
  const text = 'x'.repeat(MESSAGE_BYTES - 100);
  await world.createTopic(TOPIC, { partitions: PARTITIONS, maxMessageBytes: MESSAGE_BYTES + 1024 });
  const transform = `${PARAMETERS} PARSE_JSON(DECODE(value) AS record(id: int, text: string)) ++ (size: LEN(value))`;
  await world.restart();
  await world.createStream('large', { topic: TOPIC, transform, intervalMillis: 200 });
  const place = await world.placeOf('large');
  const client = new pg.Client({ connectionString: world.cluster.databaseUrl });
  await client.connect();
  const memory = watchMemory(world.pid());
  try {
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${place} IN ACCESS EXCLUSIVE MODE`);
    for (let i = 0; i < count; i += 1)
      await world.produce(TOPIC, 1, () => ({ value: JSON.stringify({ id: i, text }), partition: i % PARTITIONS }));
    await delay(isSmall ? 5_000 : 30_000);
    await client.query('COMMIT');
    await world.untilStored('large', count);
  } finally {
    await client.end();
  }
  const megabytes = await memory.stop();
  await world.deleteStream('large');
  return [
    {
      name: `resident, ${count} messages of 10 MB, a stalled database`,
      ours: megabytes,
      floor: MOST_MEGABYTES,
      unit: 'MB',
      target: { kind: 'at-most', ratio: 1 },
    },
  ];
}
