/**
 * Streams under faults: `npm run soak -- --minutes N --seed S`. Producers write to a topic while processes are killed and paused, Kafka and
 * PostgreSQL go away and come back; then everything drains, and the table is compared with the topic, message by message. The producers wait
 * where 50,000 messages are not stored yet: a soak is about faults, and not how fast a machine is.
 */

import { readOptions } from '@svc/test-kit';

import { compareWithTopic, printLedger } from './soak/ledger.ts';
import { causeFaults } from './soak/faults.ts';
import { openCluster } from './soak/cluster.ts';
import { startProducing } from './soak/produce.ts';
import { seededRandom } from './soak/seeded-random.ts';

const LATEST_LINES =
  "SELECT to_char(logged_at, 'HH24:MI:SS.MS'), level, message FROM (SELECT * FROM stream_logs ORDER BY id DESC LIMIT 200) AS latest ORDER BY id";

const values = readOptions(
  `npm run soak -- [--minutes 20] [--seed 1] [--processes 3]

Faults in random order while producers write; then everything drains, and the table is compared with the topic. The producers wait where 50,000
messages are not stored yet: a soak is about faults, and not how fast a machine is.`,
  {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: '3' },
  },
);
const minutes = Number(values.minutes);
const random = seededRandom(Number(values.seed));
const cluster = await openCluster({ processes: Number(values.processes), partitions: 6 });
try {
  await cluster.createStream();
  const production = startProducing(cluster, random);
  const until = performance.now() + minutes * 60_000;
  const faults = await causeFaults(cluster, random, until);
  await production.stop();
  console.log(`${faults.length} faults; draining`);
  await cluster.drain();
  const ledger = await compareWithTopic(cluster);
  console.log(printLedger({ minutes, seed: values.seed, faults, ledger, acknowledged: production.acknowledged() }));
  const isWhole = ledger.lost + ledger.twice + ledger.deadMissing + ledger.deadTooMany === 0;
  if (!isWhole) for (const line of await cluster.query(LATEST_LINES)) console.log(Object.values(line).map(String).join(' '));
  process.exitCode = isWhole ? 0 : 1;
} finally {
  await cluster.close();
}
process.exit();
