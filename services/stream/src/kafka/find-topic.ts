import type { NetworkGuard } from '@svc/network-guard';
import type { Kafka } from 'kafkajs';

import type { BrokerAddress } from './broker-address.ts';
import { createKafkaClient } from './kafka-client.ts';
import { KafkaProblem } from './kafka-problem.ts';
import { metadataOfTopic, readTopicMetadata, type TopicMetadata } from './topic-metadata.ts';

/** Timeout of a whole lookup. */
const TIMEOUT_MS = 10_000;

/** The topic to look up. */
export interface TopicLookUp {
  readonly address: BrokerAddress;
  readonly topic: string;
  readonly timeoutMillis?: number;
}

/** Looks up a topic; its id distinguishes it from a later topic of the same name. Throws a KafkaProblem. */
export async function findTopic({ address, topic, timeoutMillis = TIMEOUT_MS }: TopicLookUp, guard: NetworkGuard): Promise<TopicMetadata> {
  const { kafka, explain } = createKafkaClient(address, guard, { retries: 1 });
  const cluster = clusterOf(kafka);
  try {
    const timeout = AbortSignal.timeout(timeoutMillis);
    const aborted = new Promise<never>((_, reject) => timeout.addEventListener('abort', () => reject(new Error('no answer in time'))));
    const found = await Promise.race([askForTopic(cluster, topic), aborted]);
    if (found === null) throw new KafkaProblem('unknown-topic', `The broker ${address.host}:${address.port} has no topic ${topic}.`);
    return found;
  } catch (thrown) {
    throw explain(thrown);
  } finally {
    // Not awaited: an unresponsive broker would delay it by a request timeout.
    void cluster.disconnect().catch(() => undefined);
  }
}

async function askForTopic(cluster: Cluster, topic: string): Promise<TopicMetadata | null> {
  await cluster.connect();
  const { connectionPool } = cluster.brokerPool.seedBroker;
  const answer = await connectionPool.send({
    request: metadataOfTopic(topic),
    response: { decode: readTopicMetadata, parse: async (of) => of },
  });
  if (answer.errorType === null) return answer.topic;
  if (answer.errorType === 'UNKNOWN_TOPIC_OR_PARTITION') return null;
  throw Object.assign(new Error('the broker refused the topic'), { type: answer.errorType });
}

/** Internal cluster object of KafkaJS, the only way to send requests that it does not implement. */
interface Cluster {
  readonly connect: () => Promise<void>;
  readonly disconnect: () => Promise<void>;
  readonly brokerPool: { readonly seedBroker: { readonly connectionPool: ConnectionPool } };
}

interface ConnectionPool {
  readonly send: <Answer>(exchange: {
    readonly request: ReturnType<typeof metadataOfTopic>;
    readonly response: { readonly decode: (bytes: Buffer) => Promise<Answer>; readonly parse: (of: Answer) => Promise<Answer> };
  }) => Promise<Answer>;
}

const CREATE_CLUSTER = 'private:Kafka:createCluster';

function clusterOf(kafka: Kafka): Cluster {
  const key = Object.getOwnPropertySymbols(kafka).find(({ description }) => description === CREATE_CLUSTER);
  if (key === undefined) throw new Error('this version of KafkaJS has no cluster');
  const create: unknown = Reflect.get(kafka, key);
  if (typeof create !== 'function') throw new Error('this version of KafkaJS makes no cluster');
  // The version of KafkaJS is pinned, and a test covers this against a real broker.
  return Reflect.apply(create, kafka, [{ allowAutoTopicCreation: false, metadataMaxAge: 60_000 }]) as Cluster;
}
