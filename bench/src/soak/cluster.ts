import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { migrate } from '@svc/database';
import { createSigningKey, mintAccessToken, startAuthorizationServer } from '@svc/local-authorization';
import {
  createKafkaTopic,
  freePort,
  startEmbeddedPostgres,
  startKafkaBroker,
  waitUntil,
  type EmbeddedPostgres,
  type KafkaBroker,
} from '@svc/local-stack';
import kafkajs, { type Kafka } from 'kafkajs';
import { Client } from 'pg';

import { startStreamProcess, type StreamProcess } from './stream-process.ts';

/** The parts of the soak test, each of which can be stopped and restarted. */
export interface SoakCluster {
  readonly topic: string;
  readonly kafkaPort: number;
  readonly databaseUrl: string;
  readonly kafka: Kafka;
  readonly processes: (StreamProcess | null)[];
  readonly startProcess: (index: number) => Promise<void>;
  readonly stopKafka: () => Promise<void>;
  readonly startKafka: () => Promise<void>;
  readonly stopDatabase: () => Promise<void>;
  readonly startDatabase: () => Promise<void>;
  /** Rows of the last of some statements. */
  readonly query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Calls the service by any of its processes. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<{ readonly status: number; readonly text: string }>;
  readonly createStream: () => Promise<void>;
  /** Waits until no stream lags. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const TRANSFORM =
  '\\(key: binary nullable, value: binary, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> ' +
  'PARSE_JSON(DECODE(value) AS record(p: int, s: long, text: string)) ++ (part: partitionNo, at: offset)';
const TOPIC = 'soak';
const DRAIN_TIMEOUT_MS = 15 * 60_000;
const AUDIENCE = 'urn:svc:soak';

/** Starts Kafka, PostgreSQL, an authorization server and processes of the stream service. */
export async function openCluster({
  processes: count,
  partitions,
  postgresSettings = {},
}: {
  readonly processes: number;
  readonly partitions: number;
  readonly postgresSettings?: Readonly<Record<string, string>>;
}): Promise<SoakCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-soak-'));
  const [kafkaPort, databasePort] = [await freePort(), await freePort()];
  const startBroker = (): Promise<KafkaBroker> =>
    startKafkaBroker({ directory: join(directory, 'kafka'), env: process.env, port: kafkaPort });
  const startPostgres = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      directory: join(directory, 'postgres'),
      settings: { port: String(databasePort), max_connections: '200', ...postgresSettings },
    });
  let [broker, postgres] = await Promise.all([startBroker(), startPostgres()]);
  const databaseUrl = withPort(postgres.url, databasePort);
  await migrate(databaseUrl);
  const key = await createSigningKey('soak');
  const client = { id: 'soak', secret: randomBytes(16).toString('hex') };
  const authorization = await startAuthorizationServer({ host: '127.0.0.1', port: 0, audience: AUDIENCE, key, client });
  const env = {
    SVC_DATABASE_URL: databaseUrl,
    SVC_TOKEN_ISSUER: authorization.issuer,
    SVC_TOKEN_AUDIENCE: AUDIENCE,
    SVC_MASTER_KEY: randomBytes(32).toString('base64'),
    SVC_NETWORK_ALLOW: '127.0.0.0/8',
  };
  const kafka = new kafkajs.Kafka({
    brokers: [`127.0.0.1:${kafkaPort}`],
    logLevel: kafkajs.logLevel.NOTHING,
    retry: { retries: 100, maxRetryTime: 2000 },
  });
  await createKafkaTopic(kafka, { topic: TOPIC, numPartitions: partitions });
  const processes: (StreamProcess | null)[] = await Promise.all(Array.from({ length: count }, () => startStreamProcess(env)));

  const call = async (method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly text: string }> => {
    const token = await mintAccessToken(key, { issuer: authorization.issuer, audience: AUDIENCE, sub: 'soak', expiresInSeconds: 600 });
    for (const one of processes) {
      if (one === null || one.isPaused()) continue;
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const init = { method, headers, signal: AbortSignal.timeout(30_000), ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(one.url + path, init).catch(() => null);
      if (response !== null) return { status: response.status, text: await response.text() };
    }
    return { status: 0, text: 'no process answers' };
  };
  return {
    topic: TOPIC,
    kafkaPort,
    databaseUrl,
    kafka,
    processes,
    call,
    startProcess: async (index) => void (processes[index] = await startStreamProcess(env)),
    stopKafka: () => broker.stop(),
    startKafka: async () => void (broker = await startBroker()),
    stopDatabase: () => postgres.stop(),
    startDatabase: async () => void (postgres = await startPostgres()),
    query: async (sql) => {
      const session = new Client({ connectionString: databaseUrl });
      session.on('error', () => undefined); // the statement fails, and that is told
      await session.connect();
      try {
        return (await session.query<Readonly<Record<string, unknown>>>(sql)).rows;
      } finally {
        await session.end().catch(() => undefined);
      }
    },
    createStream: async () => {
      const body = { host: '127.0.0.1', port: kafkaPort, topic: TOPIC, transform: TRANSFORM, intervalMillis: 200 };
      const { status, text } = await call('POST', '/stream/soak', body);
      if (status !== 200 && !text.includes('stream_already_exists')) throw new Error(`the stream was not created: ${status} ${text}`);
    },
    drain: async () => {
      let quiet = 0;
      await waitUntil(
        async () => {
          const { text } = await call('GET', '/stream/soak');
          quiet = /"state":"running".*lag 0"/.test(text) ? quiet + 1 : 0;
          return quiet >= 5 || undefined;
        },
        { timeoutMs: DRAIN_TIMEOUT_MS, intervalMs: 2000, what: 'the stream to drain' },
      );
      await delay(2000);
    },
    close: async () => {
      await Promise.all(processes.map(async (one) => one?.end('SIGKILL')));
      await authorization.stop();
      await postgres.stop();
      await broker.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
