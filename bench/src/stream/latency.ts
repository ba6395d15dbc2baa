import { setTimeout as delay } from 'node:timers/promises';

import type { Row } from '../table.ts';
import { PARAMETERS } from './orders.ts';
import type { StreamWorld } from './stream-world.ts';

const TOPIC = 'ticks';
const PARTITIONS = 4;
const PER_SECOND = 1000;
const TICK_MILLIS = 20;
const INTERVAL_MILLIS = 200;
/** Past the interval. */
const ALLOWED_MILLIS = 250;

/** Messages at a steady rate: from the moment that each is sent until the transaction with its row is committed. */
export async function measureLatency(world: StreamWorld, { isSmall }: { readonly isSmall: boolean }): Promise<readonly Row[]> {
  const seconds = isSmall ? 5 : 30;
  await world.createTopic(TOPIC, { partitions: PARTITIONS });
  await world.restart();
  const transform = `${PARAMETERS} PARSE_JSON(DECODE(value) AS record(sent: double, text: string))`;
  await world.createStream('ticks', { topic: TOPIC, transform, intervalMillis: INTERVAL_MILLIS });
  await world.produce(TOPIC, PARTITIONS, (partition) => ({ value: JSON.stringify({ sent: 0, text: '' }), partition }));
  await world.untilStored('ticks', PARTITIONS);
  const perTick = (PER_SECOND * TICK_MILLIS) / 1000;
  const sends: Promise<void>[] = [];
  const began = performance.now();
  for (let tick = 0; tick * TICK_MILLIS < seconds * 1000; tick += 1) {
    await delay(Math.max(0, began + tick * TICK_MILLIS - performance.now()));
    const sent = performance.timeOrigin + performance.now();
    const value = JSON.stringify({ sent, text: 'x'.repeat(150) });
    sends.push(world.produce(TOPIC, perTick, (i) => ({ value, partition: (tick + i) % PARTITIONS })));
  }
  await Promise.all(sends);
  const count = sends.length * perTick;
  await world.untilStored('ticks', PARTITIONS + count);
  const millis = 'extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 - c1';
  const [found] = await world.cluster.query(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ${millis}) AS p50, percentile_cont(0.99) WITHIN GROUP (ORDER BY ${millis}) AS p99 FROM ${await world.placeOf('ticks')} WHERE c1 > 0`,
  );
  await world.deleteStream('ticks');
  return [
    {
      name: `sent to committed, ${PER_SECOND}/s, interval ${INTERVAL_MILLIS} ms: p99`,
      ours: Number(found?.['p99']),
      floor: INTERVAL_MILLIS + ALLOWED_MILLIS,
      unit: 'ms',
      target: { kind: 'at-most', ratio: 1 },
      note: `p50 ${Number(found?.['p50']).toFixed(0)} ms`,
    },
  ];
}
