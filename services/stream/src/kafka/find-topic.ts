import type { NetworkGuard } from '@svc/network-guard';
import type { Kafka } from 'kafkajs';

import type { BrokerAddress } from './broker-address.ts';
import { createKafkaClient } from './kafka-client.ts';
import { KafkaProblem } from './kafka-problem.ts';
import { metadataOfTopic, readTopicMetadata, type TopicMetadata } from './topic-metadata.ts';

/** How long all of a look-up may take. */
const TIMEOUT_MS = 10_000;

/** What is looked for. */
export interface TopicLookUp {
  readonly address: BrokerAddress;
  readonly topic: string;
  readonly timeoutMillis?: number;
}

/** A topic of a cluster, told apart by its id from one of the same name that was made later. Throws a KafkaProblem. */
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
    // Not waited for: a broker that says nothing would hold it up for as long as a request may take.
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

/** What KafkaJS hands to its producers and consumers: it has no other way to send a request that it does not know. */
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
  // The version of KafkaJS is pinned, and a test asks a real broker.
  return Reflect.apply(create, kafka, [{ allowAutoTopicCreation: false, metadataMaxAge: 60_000 }]) as Cluster;
}
