import type { ITopicConfig, Kafka } from 'kafkajs';

import { waitUntil } from '../wait-until.ts';

const TIMEOUT_MS = 30_000;

/**
 * Creates a topic if it is missing, and waits until the broker knows the leader of each partition. KafkaJS's own
 * `waitForLeaders` gives up if a busy broker does not know the topic immediately.
 */
export async function createKafkaTopic(kafka: Kafka, config: ITopicConfig): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    await admin.createTopics({ topics: [config], waitForLeaders: false });
    const hasLeaders = async (): Promise<true | undefined> => {
      const found = await admin.fetchTopicMetadata({ topics: [config.topic] }).catch(() => ({ topics: [] })); // it is not known yet
      const partitions = found.topics[0]?.partitions ?? [];
      return (partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)) || undefined;
    };
    await waitUntil(hasLeaders, { timeoutMs: TIMEOUT_MS, intervalMs: 50, what: `the leaders of the topic ${config.topic}` });
  } finally {
    await admin.disconnect();
  }
}
