import { randomBytes } from 'node:crypto';

import type { KafkaAccess } from './server-access.ts';

/** The images of `compose.yaml`; a test keeps them equal. */
export const POSTGRES_IMAGE = 'postgres:18.4';
export const KAFKA_IMAGE = 'apache/kafka:4.1.1';

const START_TIMEOUT_MS = 120_000;
const HOST = '127.0.0.1';
/** Ports inside a container. */
const PLAIN_PORT = 9092;
const LOGIN_PORT = 9094;

type Stops = (() => Promise<void>)[];

/** Reads `SVC_TEST_SERVERS`: `testcontainers` for PostgreSQL and Kafka in containers, `own` (the default) for processes of this machine. */
export function areContainersChosen(env: Readonly<Record<string, string | undefined>>): boolean {
  const choice = env['SVC_TEST_SERVERS'] ?? 'own';
  if (choice !== 'own' && choice !== 'testcontainers')
    throw new Error(`SVC_TEST_SERVERS is "${choice}": expected "own" or "testcontainers".`);
  return choice === 'testcontainers';
}

/** Starts PostgreSQL in a container. Returns the address of a database, as a user who may create others. */
export async function startPostgresContainer(settings: Readonly<Record<string, string>>, stops: Stops): Promise<string> {
  // Loaded on demand: it costs half a second, and needs a Docker engine.
  const { GenericContainer, Wait } = await import('testcontainers');
  const password = randomBytes(16).toString('hex');
  const container = await new GenericContainer(POSTGRES_IMAGE)
    .withEnvironment({ POSTGRES_USER: 'svc', POSTGRES_PASSWORD: password })
    .withCommand(['postgres', ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forSuccessfulCommand('pg_isready --host=127.0.0.1 --username=svc'))
    .withStartupTimeout(START_TIMEOUT_MS)
    .start();
  stops.push(async () => void (await container.stop()));
  return `postgresql://svc:${password}@${container.getHost()}:${container.getMappedPort(5432)}/svc`;
}

/** Starts a Kafka broker in a container, with a second listener on which the user logs in. */
export async function startKafkaContainer(
  user: { readonly username: string; readonly password: string },
  stops: Stops,
): Promise<KafkaAccess> {
  const [{ GenericContainer, Wait }, { freePort }] = await Promise.all([import('testcontainers'), import('@svc/local-stack')]);
  const { username, password } = user;
  // A broker advertises the address that clients use, so the ports on the host are chosen before it starts.
  const [port, loginPort] = [await freePort(), await freePort()];
  const container = await new GenericContainer(KAFKA_IMAGE)
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: `PLAIN://:${PLAIN_PORT},LOGIN://:${LOGIN_PORT},INTERNAL://localhost:9095,CONTROLLER://:9093`,
      KAFKA_ADVERTISED_LISTENERS: `PLAIN://${HOST}:${port},LOGIN://${HOST}:${loginPort},INTERNAL://localhost:9095`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAIN:PLAINTEXT,LOGIN:SASL_PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT',
      // The broker asks itself about transactions, and reaches no port of the host.
      KAFKA_INTER_BROKER_LISTENER_NAME: 'INTERNAL',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_SASL_ENABLED_MECHANISMS: 'PLAIN',
      KAFKA_LISTENER_NAME_LOGIN_PLAIN_SASL_JAAS_CONFIG: `org.apache.kafka.common.security.plain.PlainLoginModule required username="${username}" password="${password}" user_${username}="${password}";`,
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '4',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
      KAFKA_BROKER_SESSION_TIMEOUT_MS: '60000',
    })
    .withExposedPorts({ container: PLAIN_PORT, host: port }, { container: LOGIN_PORT, host: loginPort })
    .withWaitStrategy(Wait.forSuccessfulCommand(`bash -c 'exec 3<>/dev/tcp/127.0.0.1/${PLAIN_PORT}'`))
    .withStartupTimeout(START_TIMEOUT_MS)
    .start();
  stops.push(async () => void (await container.stop()));
  return { brokers: [`${HOST}:${port}`], sasl: { host: HOST, port: loginPort, ...user } };
}
