import type { NetworkGuard } from '@svc/network-guard';
import type { Message } from '@svc/query-engine';
import type { Batch, Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';

import type { BrokerAddress } from './broker-address.ts';
import { createKafkaClient, type KafkaClient } from './kafka-client.ts';
import { KafkaProblem } from './kafka-problem.ts';
import { sourceOf } from './mend-fetches.ts';

/** Messages of one partition, in their order. */
export interface MessageBatch {
  readonly partition: number;
  readonly messages: readonly Message[];
  /** The offset that is read next once these are stored: some offsets hold no message. */
  readonly next: number;
  /** The stored offset at which the batch starts; null if none was stored. */
  readonly expected: number | null;
  /** Messages that the topic dropped before they were read. */
  readonly lost: number;
  /** The end of the partition. */
  readonly end: number;
  /** Aborts when the consumer must stop immediately. */
  readonly signal: AbortSignal;
  /** Returns whether the group was rebalanced meanwhile: the batch need not be stored then. */
  readonly isLost: () => boolean;
}

/** Options of a topic consumer. */
export interface TopicConsumerOptions {
  readonly address: BrokerAddress;
  readonly guard: NetworkGuard;
  readonly topic: string;
  /** Messages of another topic of the same name end the consumer with a KafkaProblem. */
  readonly topicId: string;
  readonly groupId: string;
  readonly intervalMillis: number;
  /** Session timeout of a group member: after this much silence its partitions are reassigned. */
  readonly sessionMillis: number;
  /** Aborting it ends all work immediately, without waiting for batches being stored. */
  readonly signal: AbortSignal;
  /** Returns the stored next offset of a partition; null if none was stored. Throws if the database is unavailable. */
  readonly storedOffset: (partition: number) => Promise<number | null>;
  /** Stores a batch; 'stale' if another process has advanced the offset. An exception ends the consumer. */
  readonly onBatch: (batch: MessageBatch) => Promise<'stored' | 'stale'>;
  /** Called with the partitions assigned to this process. */
  readonly onAssigned: (partitions: readonly number[]) => void;
  /** Called with the lag of a partition. */
  readonly onLag: (partition: number, lag: number) => void;
  /** Called when a broker does not answer a request in time; the client goes on trying, for a while. */
  readonly onSilence: (problem: KafkaProblem) => void;
  /** Called when all brokers that were silent answer again. */
  readonly onAnswer: () => void;
}

/** A running member of a consumer group. */
export interface TopicConsumer {
  /** Rejects with the failure: a KafkaProblem, or an exception of `onBatch`. Resolves after `stop`. */
  readonly ended: Promise<void>;
  /** Lets batches being stored finish, unless the signal aborts, and leaves the group. */
  readonly stop: () => Promise<void>;
}

/** Time for members to rejoin in a rebalance. */
const MIN_REBALANCE_MS = 30_000;
/** Maximum time for which brokers hold a fetch request: a consumer that stops waits for its response before it leaves the group. */
const MAX_WAIT_MS = 1_000;
/** Or until this many bytes are available. */
const MIN_BYTES = 512 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_BYTES_PER_PARTITION = 2 * 1024 * 1024;
const PARTITIONS_AT_ONCE = 3;
/** Interval at which new partitions are discovered. */
const METADATA_MAX_AGE_MS = 10_000;

/** Position of this process in a partition. */
interface Position {
  /** The stored next offset. */
  stored: number | null;
  /** Everything before it has been read, including control records. */
  seen: number | null;
}

/**
 * Reads a topic as a member of a consumer group, from the stored offsets, whatever offsets the group has committed. Each
 * partition is read in order, several partitions in parallel; at most one response per broker is prefetched beyond what is
 * stored. Rejects with a KafkaProblem.
 */
export async function startTopicConsumer(options: TopicConsumerOptions): Promise<TopicConsumer> {
  const client = createKafkaClient(options.address, options.guard, { retries: 3 });
  const { intervalMillis, sessionMillis, topic, groupId } = options;
  const consumer = client.kafka.consumer({
    groupId,
    sessionTimeout: sessionMillis,
    rebalanceTimeout: Math.max(3 * sessionMillis, MIN_REBALANCE_MS),
    heartbeatInterval: heartbeatMillis(options),
    maxWaitTimeInMs: Math.min(intervalMillis, MAX_WAIT_MS),
    minBytes: MIN_BYTES,
    maxBytes: MAX_BYTES,
    maxBytesPerPartition: MAX_BYTES_PER_PARTITION,
    metadataMaxAge: METADATA_MAX_AGE_MS,
    allowAutoTopicCreation: false,
    readUncommitted: false,
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  ended.catch(() => undefined); // whoever cares looks at it
  const reader = new PartitionReader(options, { consumer, client, onFailure: reject });
  consumer.on(consumer.events.CRASH, ({ payload }) => reject(client.explain(payload.error)));
  watchSilence(consumer, options);
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => reader.assign(payload.memberAssignment[topic] ?? []));
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => reader.pass(payload));
  const stop = async (): Promise<void> => {
    reader.close();
    await consumer.disconnect().catch(() => undefined); // it is of no more use, in whatever state it is
    resolve();
  };
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
      eachBatch: (payload) => reader.take(payload),
    });
  } catch (thrown) {
    await stop();
    throw client.explain(thrown);
  }
  return { ended, stop };
}

/** A connection to a broker that hangs stays open: only its requests show it, long before the client gives up. */
function watchSilence(consumer: Consumer, { onSilence, onAnswer }: TopicConsumerOptions): void {
  const silent = new Set<string>();
  consumer.on(consumer.events.REQUEST_TIMEOUT, ({ payload: { broker } }) => {
    silent.add(broker);
    onSilence(new KafkaProblem('unreachable', `The broker ${broker} does not answer.`));
  });
  consumer.on(consumer.events.REQUEST, ({ payload: { broker } }) => {
    if (silent.delete(broker) && silent.size === 0) onAnswer();
  });
}

/** Several signs of life may get lost. */
function heartbeatMillis({ sessionMillis }: TopicConsumerOptions): number {
  return Math.floor(sessionMillis / 5);
}

interface Reading {
  readonly consumer: Consumer;
  readonly client: KafkaClient;
  /** Receives the failure of a batch, which the client would wrap. */
  readonly onFailure: (thrown: unknown) => void;
}

/** Aligns the client's fetch positions with the stored offsets. */
class PartitionReader {
  readonly #options: TopicConsumerOptions;
  readonly #consumer: Consumer;
  readonly #client: KafkaClient;
  readonly #positions = new Map<number, Position>();
  readonly #resting = new Set<NodeJS.Timeout>();
  readonly #onFailure: (thrown: unknown) => void;
  /** The client retries a failed batch; after a failure none is accepted. */
  #failure: Error | null = null;

  constructor(options: TopicConsumerOptions, { consumer, client, onFailure }: Reading) {
    this.#options = options;
    this.#consumer = consumer;
    this.#client = client;
    this.#onFailure = onFailure;
  }

  /** Called after a rebalance: the stored offsets may have been changed by others. */
  assign(partitions: readonly number[]): void {
    this.#positions.clear();
    this.#options.onAssigned(partitions);
    void this.#lookAtLags(partitions);
  }

  /** Reports the lag of partitions of which nothing was read yet. Never rejects: reading reports it too. */
  async #lookAtLags(partitions: readonly number[]): Promise<void> {
    try {
      const offsets = await this.#offsetsOfTopic();
      for (const partition of partitions) {
        const stored = await this.#options.storedOffset(partition);
        const found = offsets.find((one) => one.partition === partition);
        if (found === undefined || this.#positions.has(partition)) continue;
        this.#options.onLag(partition, Math.max(0, Number(found.high) - (stored ?? Number(found.low))));
      }
    } catch {
      // The broker or the database is unavailable; the reader finds that out too.
    }
  }

  close(): void {
    for (const timer of this.#resting) clearTimeout(timer);
  }

  /** Offsets without messages, such as control records, were skipped. */
  pass({
    partition,
    batchSize,
    lastOffset,
    highWatermark,
  }: {
    readonly partition: number;
    readonly batchSize: number;
    readonly lastOffset: string;
    readonly highWatermark: string;
  }): void {
    const position = this.#positions.get(partition);
    if (batchSize > 0 || position === undefined) return;
    position.seen = Math.max(position.seen ?? 0, Number(lastOffset) + 1);
    this.#options.onLag(partition, Math.max(0, Number(highWatermark) - position.seen));
  }

  async take(payload: EachBatchPayload): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    try {
      await this.#take(payload);
    } catch (thrown) {
      this.#failure = thrown instanceof Error ? thrown : new Error('a batch failed', { cause: thrown });
      this.#onFailure(this.#failure);
      throw thrown;
    }
  }

  async #take(payload: EachBatchPayload): Promise<void> {
    const { signal: stopped, topic } = this.#options;
    if (!payload.isRunning() || payload.isStale() || stopped.aborted) return;
    const { batch } = payload;
    const { partition } = batch;
    if (batch.messages.some((message) => sourceOf(message).topicId !== this.#options.topicId))
      throw new KafkaProblem('unknown-topic', `The topic ${topic} was deleted or made anew.`);
    const beating = keepBeating(() => payload.heartbeat(), heartbeatMillis(this.#options));
    try {
      const position = await this.#locate(batch);
      if (position === null) return;
      const lost = await this.#lostBefore(batch, position);
      const messages = batch.messages.filter(({ offset }) => Number(offset) >= (position.stored ?? 0));
      const [next, end] = [Number(batch.lastOffset()) + 1, Number(batch.highWatermark)];
      const expected = position.stored;
      // Storing may take long.
      this.#options.onLag(partition, Math.max(0, end - Number(batch.firstOffset())));
      if (messages.length > 0 || lost > 0) {
        const read = { partition, messages: messages.map(toMessage(topic, partition)), next, expected, lost, end };
        const result = await this.#options.onBatch({ ...read, signal: stopped, isLost: beating.isLost });
        if (result === 'stale') {
          this.#positions.delete(partition);
          return;
        }
        position.stored = next;
      }
      position.seen = next;
      payload.resolveOffset(batch.lastOffset());
      this.#options.onLag(partition, Math.max(0, end - next));
      if (next >= end) this.#rest(partition);
    } finally {
      beating.stop();
    }
    await this.#commit(partition, batch);
  }

  /** Returns the position from which the batch continues; null if it does not, after the client was told to seek. */
  async #locate(batch: Batch): Promise<Position | null> {
    const { partition } = batch;
    const known = this.#positions.get(partition);
    if (known !== undefined) return known;
    const stored = await this.#options.storedOffset(partition);
    const position = { stored, seen: stored };
    this.#positions.set(partition, position);
    if (stored === null || Number(fetchedFrom(batch)) === stored) return position;
    this.#consumer.seek({ topic: this.#options.topic, partition, offset: String(stored) });
    return null;
  }

  /** Returns the number of messages the topic dropped between the last one read and the batch. */
  async #lostBefore(batch: Batch, { seen }: Position): Promise<number> {
    const from = Number(fetchedFrom(batch));
    if (seen === null || from === seen) return 0;
    const { topic } = this.#options;
    if (Number(batch.highWatermark) < seen)
      throw new KafkaProblem(
        'refused',
        `Partition ${batch.partition} of ${topic} ends at ${batch.highWatermark}, and was read up to ${seen}: messages were taken back, or the topic was made anew.`,
      );
    const first = await this.#firstOffset(batch.partition);
    return first === null ? 0 : Math.max(0, first - seen);
  }

  async #firstOffset(partition: number): Promise<number | null> {
    const found = (await this.#offsetsOfTopic()).find((one) => one.partition === partition);
    return found === undefined ? null : Number(found.low);
  }

  async #offsetsOfTopic() {
    const admin = this.#client.kafka.admin();
    try {
      await admin.connect();
      return await admin.fetchTopicOffsets(this.#options.topic);
    } catch (thrown) {
      throw this.#client.explain(thrown);
    } finally {
      await admin.disconnect().catch(() => undefined); // it is of no more use
    }
  }

  /** Pauses a partition that was read to its end, if the stream's interval is longer than a broker's response time. */
  #rest(partition: number): void {
    const millis = this.#options.intervalMillis - MAX_WAIT_MS;
    if (millis <= 0) return;
    const at = [{ topic: this.#options.topic, partitions: [partition] }];
    this.#consumer.pause(at);
    const timer = setTimeout(() => {
      this.#resting.delete(timer);
      this.#consumer.resume(at);
    }, millis);
    this.#resting.add(timer);
  }

  /** Commits the offset to Kafka, for monitoring only: no consumer starts from it. */
  async #commit(partition: number, batch: Batch): Promise<void> {
    const offset = String(Number(batch.lastOffset()) + 1);
    await this.#consumer.commitOffsets([{ topic: this.#options.topic, partition, offset }]).catch(() => undefined); // the stored offset is what counts
  }
}

/** Returns the requested offset. The client's types do not declare it. */
function fetchedFrom(batch: Batch): string {
  return String(Reflect.get(batch, 'fetchedOffset'));
}

function toMessage(topic: string, partition: number): (message: KafkaMessage) => Message {
  return (message) => ({
    key: message.key,
    value: message.value,
    topic,
    partition,
    offset: BigInt(message.offset),
    timestampMillis: Number(message.timestamp),
    timestampType: sourceOf(message).timestampType,
  });
}

/**
 * Sends heartbeats while a batch is being stored. If the group is rebalanced, the batch can still be completed: no other
 * process can store it too, and the group waits for a while.
 */
function keepBeating(heartbeat: () => Promise<void>, millis: number): { readonly isLost: () => boolean; readonly stop: () => void } {
  let isLost = false;
  const timer = setInterval(() => void heartbeat().catch(() => (isLost = true)), millis);
  return { isLost: () => isLost, stop: () => clearInterval(timer) };
}
