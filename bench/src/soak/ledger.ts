import { waitUntil } from '@svc/local-stack';

import type { SoakCluster } from './cluster.ts';

/** Contents of the table compared with the topic. */
export interface Ledger {
  readonly messages: number;
  readonly rows: number;
  readonly lost: number;
  readonly twice: number;
  readonly poisoned: number;
  readonly deadMissing: number;
  readonly deadTooMany: number;
}

const READ_TIMEOUT_MS = 10 * 60_000;

/** Reads the whole topic with a plain client and the whole table, and compares them by partition and offset. */
export async function compareWithTopic(cluster: SoakCluster): Promise<Ledger> {
  const messages = await readTopic(cluster);
  const good = [...messages].filter(([, value]) => !value.startsWith('poison')).map(([place]) => place);
  const poisoned = [...messages].filter(([, value]) => value.startsWith('poison')).map(([place]) => place);
  const [table] = await cluster.query("SELECT id FROM tables WHERE name = 'soak'");
  const stored = await cluster.query(`SELECT c4 || ':' || c5 AS place FROM user_rows.t${String(table?.['id'])}`);
  const letters = await cluster.query('SELECT partition || \':\' || "offset" AS place FROM stream_dead_letters');
  const rows = new Set(stored.map(({ place }) => String(place)));
  const dead = new Set(letters.map(({ place }) => String(place)));
  return {
    messages: messages.size,
    rows: stored.length,
    lost: good.filter((place) => !rows.has(place)).length,
    twice: stored.length - rows.size + letters.length - dead.size,
    poisoned: poisoned.length,
    deadMissing: poisoned.filter((place) => !dead.has(place)).length,
    deadTooMany: [...dead].filter((place) => !messages.get(place)?.startsWith('poison')).length,
  };
}

/** The committed messages of the topic, by partition and offset. */
async function readTopic({ kafka, topic }: SoakCluster): Promise<ReadonlyMap<string, string>> {
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const missing = new Map(ends.filter(({ high }) => high !== '0').map(({ partition, high }) => [partition, Number(high)]));
  const found = new Map<string, string>();
  const consumer = kafka.consumer({ groupId: `ledger-${Date.now()}`, maxBytesPerPartition: 8 * 1024 * 1024 });
  const pass = (partition: number, offset: string): void => {
    if (Number(offset) + 1 >= (missing.get(partition) ?? 0)) missing.delete(partition);
  };
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => pass(payload.partition, payload.lastOffset));
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      for (const { offset, value } of batch.messages) found.set(`${batch.partition}:${offset}`, value?.toString() ?? '');
    },
  });
  await waitUntil(() => missing.size === 0 || undefined, { timeoutMs: READ_TIMEOUT_MS, what: 'the whole topic' });
  await consumer.disconnect();
  return found;
}

/** Formats the result of a soak. */
export function printLedger(of: {
  readonly minutes: number;
  readonly seed: string;
  readonly faults: readonly string[];
  readonly acknowledged: number;
  readonly ledger: Ledger;
}): string {
  const { ledger } = of;
  const counts = Object.entries(Object.groupBy(of.faults, (name) => name)).map(([name, all]) => `${name} ${all?.length ?? 0}`);
  return [
    `soak of ${of.minutes} minutes, seed ${of.seed}`,
    `faults: ${counts.toSorted().join(', ')}`,
    `messages in the topic: ${ledger.messages} (acknowledged to the producer: ${of.acknowledged})`,
    `rows: ${ledger.rows}, lost: ${ledger.lost}, twice: ${ledger.twice}`,
    `poisoned: ${ledger.poisoned}, without a dead letter: ${ledger.deadMissing}, dead letters too many: ${ledger.deadTooMany}`,
  ].join('\n');
}
