import { createKafkaTopic, waitUntil } from '@svc/local-stack';
import kafkajs, { type Message, type Producer } from 'kafkajs';

import { openCluster, type SoakCluster } from '../soak/cluster.ts';

/** Messages of one request of a producer. */
const SENT_AT_ONCE = 2000;

/** Kafka, PostgreSQL and one process of the stream service. */
export interface StreamWorld {
  readonly cluster: SoakCluster;
  /** The id of the process. */
  readonly pid: () => number;
  /** Replaces the process by a fresh one: each part begins with the same memory. */
  readonly restart: () => Promise<void>;
  readonly createTopic: (topic: string, options: { readonly partitions: number; readonly maxMessageBytes?: number }) => Promise<void>;
  readonly produce: (topic: string, count: number, messageOf: (i: number) => Message) => Promise<void>;
  readonly createStream: (name: string, settings: StreamSettings) => Promise<void>;
  readonly deleteStream: (name: string) => Promise<void>;
  /** Waits until the table of a stream contains the given number of rows. */
  readonly untilStored: (name: string, rows: number) => Promise<void>;
  /** Returns the PostgreSQL table that contains the rows of a user table. */
  readonly placeOf: (name: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Settings of a stream. */
export interface StreamSettings {
  readonly topic: string;
  readonly transform: string;
  readonly intervalMillis: number;
}

const STORE_TIMEOUT_MS = 20 * 60_000;

/** Starts everything. PostgreSQL syncs its commits, and records commit timestamps. */
export async function openStreamWorld(): Promise<StreamWorld> {
  const cluster = await openCluster({
    processes: 1,
    partitions: 1,
    postgresSettings: { fsync: 'on', synchronous_commit: 'on', track_commit_timestamp: 'on', max_wal_size: '4GB' },
  });
  const producer = cluster.kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const storedRows = async (name: string): Promise<number> => {
    const [found] = await cluster.query(
      `SELECT coalesce(sum(row_count), 0)::int AS rows FROM stream_offsets JOIN tables ON tables.id = table_id WHERE name = '${name}'`,
    );
    return Number(found?.['rows']);
  };
  return {
    cluster,
    pid: () => cluster.processes[0]?.pid ?? -1,
    restart: async () => {
      await cluster.processes[0]?.end('SIGTERM');
      await cluster.startProcess(0);
    },
    createTopic: async (topic, { partitions, maxMessageBytes }) => {
      const configEntries = maxMessageBytes === undefined ? [] : [{ name: 'max.message.bytes', value: String(maxMessageBytes) }];
      await createKafkaTopic(cluster.kafka, { topic, numPartitions: partitions, configEntries });
    },
    produce: (topic, count, messageOf) => produce(producer, { topic, count, messageOf }),
    createStream: async (name, settings) => {
      const body = { host: '127.0.0.1', port: cluster.kafkaPort, ...settings };
      const { status, text } = await cluster.call('POST', `/stream/${name}`, body);
      if (status !== 200) throw new Error(`the stream was not created: ${status} ${text}`);
    },
    deleteStream: async (name) => void (await cluster.call('DELETE', `/stream/${name}?force=true`)),
    untilStored: async (name, rows) => {
      const isStored = async (): Promise<true | undefined> => (await storedRows(name)) >= rows || undefined;
      await waitUntil(isStored, { timeoutMs: STORE_TIMEOUT_MS, intervalMs: 50, what: `${rows} rows in ${name}` });
    },
    placeOf: async (name) => {
      const [table] = await cluster.query(`SELECT id FROM tables WHERE name = '${name}'`);
      return `user_rows.t${String(table?.['id'])}`;
    },
    close: async () => {
      await producer.disconnect();
      await cluster.close();
    },
  };
}

async function produce(
  producer: Producer,
  of: { readonly topic: string; readonly count: number; readonly messageOf: (i: number) => Message },
): Promise<void> {
  const { topic, count, messageOf } = of;
  for (let from = 0; from < count; from += SENT_AT_ONCE) {
    const messages = Array.from({ length: Math.min(SENT_AT_ONCE, count - from) }, (_, i) => messageOf(from + i));
    await producer.send({ topic, messages, compression: kafkajs.CompressionTypes.None });
  }
}
