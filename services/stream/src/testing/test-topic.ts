import { randomBytes } from 'node:crypto';

import kafkajs, { type CompressionTypes, type Kafka, type Producer } from 'kafkajs';

import { createKafkaTopic } from '@svc/local-stack';
import { testKafka } from '@svc/test-kit';

import { calmRequestQueues } from '../kafka/calm-request-queues.ts';
import { registerCodecs } from '../kafka/codecs.ts';

/** A message to send; strings are encoded as UTF-8. */
export interface TestMessage {
  readonly key?: string | null;
  readonly value: string | Buffer | null;
  readonly partition?: number;
  readonly timestamp?: number;
}

/** A topic of a test's own, and a producer. */
export interface TestTopic {
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly kafka: Kafka;
  readonly producer: Producer;
  readonly send: (messages: readonly TestMessage[], compression?: CompressionTypes) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Address of a broker. */
export interface TestBroker {
  readonly host: string;
  readonly port: number;
}

/** Options of a test topic. */
export interface TestTopicOptions {
  readonly name?: string;
  readonly partitions?: number;
  readonly config?: Readonly<Record<string, string>>;
  /** Defaults to the broker of the test run. */
  readonly broker?: TestBroker;
}

/** Creates a topic. */
export async function createTopic({ name, partitions = 1, config = {}, broker }: TestTopicOptions = {}): Promise<TestTopic> {
  registerCodecs();
  calmRequestQueues();
  const { host, port } = broker ?? (await testKafka());
  const topic = name ?? `topic-${randomBytes(6).toString('hex')}`;
  const kafka = new kafkajs.Kafka({
    clientId: 'test',
    brokers: [`${host}:${port}`],
    logLevel: kafkajs.logLevel.NOTHING,
    retry: { retries: 20, initialRetryTime: 100, maxRetryTime: 1000 },
  });
  const configEntries = Object.entries(config).map(([key, value]) => ({ name: key, value }));
  await createKafkaTopic(kafka, { topic, numPartitions: partitions, configEntries });
  // Idempotent: a message that a busy broker answers late is sent again, and stored once.
  const producer = kafka.producer({
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    idempotent: true,
  });
  await producer.connect();
  return {
    host,
    port,
    name: topic,
    kafka,
    producer,
    send: async (messages, compression = kafkajs.CompressionTypes.None) => {
      await producer.send({ topic, compression, messages: messages.map(toProduced) });
    },
    close: () => producer.disconnect(),
  };
}

/** Converts a message for the client. */
function toProduced({ key = null, value, partition, timestamp }: TestMessage) {
  return {
    key,
    value: typeof value === 'string' ? Buffer.from(value) : value,
    ...(partition === undefined ? {} : { partition }),
    ...(timestamp === undefined ? {} : { timestamp: String(timestamp) }),
  };
}
