import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSigningKey, startAuthorizationServer } from '@svc/local-authorization';
import { dropDatabases } from '../database/drop-databases.ts';
import { givenS3Server, startS3Server } from '../s3/s3-server.ts';
import { areContainersChosen, startKafkaContainer, startPostgresContainer } from './container-servers.ts';
import { SERVER_TABLE_URL, type AuthorizationAccess, type DatabaseAccess, type KafkaAccess } from './server-access.ts';

/** The servers of a test run. */
export interface TestServers {
  /** Environment variables with which the processes of the run find the servers. */
  readonly env: Readonly<Record<string, string>>;
  /** Stops the servers, and drops the databases of the run. */
  readonly stop: () => Promise<void>;
}

/** Settings for disposable data, on a server without background work. */
const THROW_AWAY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', max_connections: '200' };

/**
 * Opens the servers that all test files of a run share. Each starts on the first request, so that a run of pure tests waits
 * for none. Test files find them through an HTTP server of this process, since a test runner's workers share only their
 * environment.
 */
export async function openTestServers(env: Readonly<Record<string, string | undefined>>): Promise<TestServers> {
  const run = `test_${randomBytes(5).toString('hex')}`;
  const inContainers = areContainersChosen(env);
  const stops: (() => Promise<void>)[] = [];
  const database = startOnce(() => openDatabaseServer({ run, url: env['SVC_TEST_DATABASE_URL'], inContainers, stops }));
  const authorization = startOnce(() => openAuthorizationServer(stops));
  const kafka = startOnce(() => openKafka({ env, inContainers, stops }));
  const s3 = startOnce(async () => givenS3Server(env) ?? startS3Server(stops));
  const answers: Readonly<Record<string, () => Promise<unknown>>> = {
    '/database': database,
    '/authorization': authorization,
    '/kafka': kafka,
    '/s3': s3,
  };
  const server = createServer((req, res) => void answer(res, answers[req.url ?? '']));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It must not keep the process alive when a run is aborted.
  server.unref();
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    for (const step of stops.toReversed()) await step();
  };
  return { env: { [SERVER_TABLE_URL]: `http://127.0.0.1:${port}` }, stop };
}

function startOnce<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let opened: Promise<Value> | undefined;
  return () => (opened ??= open());
}

async function answer(res: ServerResponse, open: (() => Promise<unknown>) | undefined): Promise<void> {
  // Without keep-alive: an idle connection could be closed while a busy test file sends its next request.
  res.setHeader('connection', 'close');
  try {
    if (open === undefined) res.writeHead(404).end();
    else res.end(JSON.stringify(await open()));
  } catch (error) {
    res.writeHead(500).end(String(error));
  }
}

interface DatabaseServer {
  readonly run: string;
  /** A server that exists already. */
  readonly url: string | undefined;
  readonly inContainers: boolean;
  readonly stops: (() => Promise<void>)[];
}

async function openDatabaseServer({ run, url, inContainers, stops }: DatabaseServer): Promise<DatabaseAccess> {
  if (url !== undefined && url !== '') {
    stops.push(() => dropDatabases(url, run));
    return { url, run };
  }
  if (inContainers) return { url: await startPostgresContainer(THROW_AWAY, stops), run };
  const { startEmbeddedPostgres } = await import('@svc/local-stack');
  const directory = await mkdtemp(join(tmpdir(), 'svc-test-'));
  stops.push(() => rm(directory, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres'), settings: THROW_AWAY });
  stops.push(postgres.stop);
  return { url: postgres.url, run };
}

async function openAuthorizationServer(stops: (() => Promise<void>)[]): Promise<AuthorizationAccess> {
  const key = await createSigningKey('test-1');
  const client = { id: 'test', secret: randomBytes(24).toString('base64url') };
  const audience = 'urn:svc:test';
  const server = await startAuthorizationServer({ host: '127.0.0.1', port: 0, audience, key, client });
  stops.push(server.stop);
  return { issuer: server.issuer, audience, key, client };
}

interface KafkaServer {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inContainers: boolean;
  readonly stops: (() => Promise<void>)[];
}

async function openKafka({ env, inContainers, stops }: KafkaServer): Promise<KafkaAccess> {
  const own = env['SVC_TEST_KAFKA_BROKERS'];
  if (own !== undefined && own !== '') return { brokers: own.split(',').map((broker) => broker.trim()), sasl: null };
  const user = { username: 'ingest', password: randomBytes(12).toString('hex') };
  if (inContainers) return startKafkaContainer(user, stops);
  const { startKafkaBroker } = await import('@svc/local-stack');
  const directory = await mkdtemp(join(tmpdir(), 'svc-kafka-'));
  stops.push(() => rm(directory, { recursive: true, force: true }));
  const broker = await startKafkaBroker({ directory, env, user });
  stops.push(broker.stop);
  const { host, saslPort: port, tls } = broker;
  const sasl = port === undefined || tls === undefined ? null : { host, port, tls, ...user };
  return { brokers: [`${broker.host}:${broker.port}`], sasl };
}
