import { randomBytes } from 'node:crypto';

import kafkajs from 'kafkajs';

import { createKafkaTopic } from '@svc/local-stack';
import { testKafka } from '@svc/test-kit';

/** A topic with two partitions and numbered messages. */
export interface TestTopic {
  readonly host: string;
  readonly port: number;
  readonly name: string;
  /** Number of messages sent, numbered from 0. */
  readonly sent: () => number;
  readonly send: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Creates a topic on the broker of the test run. */
export async function createTopic(): Promise<TestTopic> {
  const { host, port } = await testKafka();
  const topic = `operations-${randomBytes(6).toString('hex')}`;
  const kafka = new kafkajs.Kafka({
    clientId: 'test',
    brokers: [`${host}:${port}`],
    logLevel: kafkajs.logLevel.NOTHING,
    retry: { retries: 20, initialRetryTime: 100, maxRetryTime: 1000 },
  });
  await createKafkaTopic(kafka, { topic, numPartitions: 2 });
  const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner, allowAutoTopicCreation: false });
  await producer.connect();
  let sent = 0;
  return {
    host,
    port,
    name: topic,
    sent: () => sent,
    send: async (count) => {
      const ids = Array.from({ length: count }, (_, n) => sent + n);
      await producer.send({ topic, messages: ids.map((id) => ({ value: JSON.stringify({ id }), partition: id % 2 })) });
      sent += count;
    },
    close: () => producer.disconnect(),
  };
}
