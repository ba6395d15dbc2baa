import { randomUUID } from 'node:crypto';

import type { NetworkGuard } from '@svc/network-guard';
import type { Message } from '@svc/query-engine';

import type { BrokerAddress } from './broker-address.ts';
import { createKafkaClient } from './kafka-client.ts';
import { startTopicConsumer } from './topic-consumer.ts';

/** Timeout for reading the latest messages; later ones are omitted. */
const WAIT_MS = 5_000;

/** Where and how many messages to sample. */
export interface MessageSample {
  readonly address: BrokerAddress;
  readonly topic: string;
  readonly topicId: string;
  readonly count: number;
}

/** Returns the latest messages of a topic, up to `count`, by partition and offset. Leaves nothing behind. Throws a KafkaProblem. */
export async function sampleMessages({ address, topic, topicId, count }: MessageSample, guard: NetworkGuard): Promise<readonly Message[]> {
  const { kafka, explain } = createKafkaClient(address, guard, { retries: 1 });
  const admin = kafka.admin();
  const groupId = `svc-stream-sample-${randomUUID()}`;
  try {
    await admin.connect();
    const ends = (await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => ({
      partition,
      low: Number(low),
      high: Number(high),
    }));
    const starts = new Map(ends.map(({ partition, low, high }) => [partition, Math.max(low, high - count)]));
    const missing = new Map(ends.filter(({ low, high }) => high > low).map(({ partition, high }) => [partition, high]));
    const found: Message[] = [];
    const complete = Promise.withResolvers<void>();
    if (missing.size === 0) return [];
    const consumer = await startTopicConsumer({
      ...{ address, guard, topic, topicId, groupId },
      intervalMillis: 100,
      sessionMillis: 10_000,
      signal: new AbortController().signal,
      storedOffset: async (partition) => starts.get(partition) ?? null,
      onBatch: async ({ partition, messages, next }) => {
        found.push(...messages);
        if (next >= (missing.get(partition) ?? 0)) missing.delete(partition);
        if (missing.size === 0) complete.resolve();
        return 'stored';
      },
      onAssigned: () => undefined,
      onSilence: () => undefined,
      onAnswer: () => undefined,
      onLag: (partition, lag) => {
        if (lag === 0) missing.delete(partition);
        if (missing.size === 0) complete.resolve();
      },
    });
    const timer = setTimeout(complete.resolve, WAIT_MS);
    await Promise.race([complete.promise, consumer.ended]);
    clearTimeout(timer);
    await consumer.stop();
    await admin.deleteGroups([groupId]).catch(() => undefined); // it ends by itself, later
    return latest(found, count);
  } catch (thrown) {
    throw explain(thrown);
  } finally {
    await admin.disconnect().catch(() => undefined); // it is of no more use
  }
}

function latest(messages: readonly Message[], count: number): readonly Message[] {
  const byTime = messages.toSorted((a, b) => b.timestampMillis - a.timestampMillis || Number(b.offset - a.offset)).slice(0, count);
  return byTime.toSorted((a, b) => a.partition - b.partition || Number(a.offset - b.offset));
}
