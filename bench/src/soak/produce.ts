import kafkajs from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';

import type { SoakCluster } from './cluster.ts';
import { between, pick, type Random } from './seeded-random.ts';

/** A running producer. */
export interface Production {
  readonly stop: () => Promise<void>;
  /** Messages that the broker has acknowledged. */
  readonly acknowledged: () => number;
}

const POISONED = 0.01;
const ABORTED = 0.05;
const PARTITIONS = 6;

/** A soak tests faults: production pauses while a loaded machine is this far behind. */
const MOST_BEHIND = 50_000;
const LOOK_MS = 1000;
const SETTLED = 'SELECT coalesce(sum(row_count + dead_count), 0)::int AS count FROM stream_offsets';

/** Writes numbered messages, some of them poisoned, some in transactions that are aborted, under codecs that change. */
export function startProducing({ kafka, topic, query }: SoakCluster, random: Random): Production {
  const stop = new AbortController();
  const next = Array.from({ length: PARTITIONS }, () => 0);
  let acknowledged = 0;
  const untilNear = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      // While the database is unavailable, nothing is stored either.
      const [settled] = await query(SETTLED).catch(() => []);
      if (acknowledged - Number(settled?.['count'] ?? 0) < MOST_BEHIND) return;
      await delay(LOOK_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  let lookAt = MOST_BEHIND;
  const batch = () =>
    Array.from({ length: between(random, 1, 300) }, () => {
      const p = Math.floor(random() * PARTITIONS);
      const s = next[p] ?? 0;
      next[p] = s + 1;
      const value = random() < POISONED ? `poison ${p} ${s}` : JSON.stringify({ p, s, text: 'x'.repeat(between(random, 0, 200)) });
      return { partition: p, key: Buffer.from(`${p}`), value: Buffer.from(value) };
    });
  const plain = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  const transactional = kafka.producer({ idempotent: true, maxInFlightRequests: 1, transactionalId: 'soak' });
  const work = (async () => {
    await plain.connect();
    await transactional.connect();
    while (!stop.signal.aborted) {
      if (acknowledged >= lookAt) {
        await untilNear();
        lookAt = acknowledged + MOST_BEHIND / 10;
      }
      const messages = batch();
      try {
        if (random() < ABORTED) {
          const transaction = await transactional.transaction();
          await transaction.send({ topic, messages });
          await transaction.abort();
        } else {
          const { GZIP, None } = kafkajs.CompressionTypes;
          await plain.send({ topic, messages, compression: pick(random, [None, GZIP]) });
          acknowledged += messages.length;
        }
      } catch {
        // The broker is unavailable. The topic shows which of these messages were stored.
        await delay(500);
      }
      await delay(between(random, 10, 200), undefined, { signal: stop.signal }).catch(() => undefined);
    }
    await plain.disconnect();
    await transactional.disconnect();
  })();
  return {
    acknowledged: () => acknowledged,
    stop: async () => {
      stop.abort();
      await work;
    },
  };
}
