import { setTimeout as delay } from 'node:timers/promises';

import type { Row } from '../table.ts';
import { PARAMETERS } from './orders.ts';
import { cpuSecondsOf, residentMegabytesOf } from './process-usage.ts';
import type { StreamWorld } from './stream-world.ts';

const TOPIC = 'idle';
const MOST_MEGABYTES = 300;
const MOST_OF_A_CORE = 5;

/** Measures many streams without new messages. */
export async function measureIdle(world: StreamWorld, { isSmall }: { readonly isSmall: boolean }): Promise<readonly Row[]> {
  const streams = isSmall ? 20 : 100;
  const seconds = isSmall ? 10 : 60;
  await world.createTopic(TOPIC, { partitions: 2 });
  await world.restart();
  const names = Array.from({ length: streams }, (_, i) => `idle_${i}`);
  for (const name of names) await world.createStream(name, { topic: TOPIC, transform: `${PARAMETERS} (at: offset)`, intervalMillis: 1000 });
  await world.produce(TOPIC, 2, (partition) => ({ value: 'x', partition }));
  for (const name of names) await world.untilStored(name, 2);
  await delay(5_000);
  const before = await cpuSecondsOf(world.pid());
  await delay(seconds * 1000);
  const share = (((await cpuSecondsOf(world.pid())) - before) / seconds) * 100;
  const megabytes = await residentMegabytesOf(world.pid());
  for (const name of names) await world.deleteStream(name);
  return [
    {
      name: `${streams} idle streams, resident`,
      ours: megabytes,
      floor: MOST_MEGABYTES,
      unit: 'MB',
      target: { kind: 'at-most', ratio: 1 },
    },
    { name: `${streams} idle streams, of a core`, ours: share, floor: MOST_OF_A_CORE, unit: '%', target: { kind: 'at-most', ratio: 1 } },
  ];
}
