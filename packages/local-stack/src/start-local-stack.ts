import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { loadClient, loadGatewayClient, loadSigningKey, startAuthorizationServer } from '@svc/local-authorization';
import { StartError, type Environment } from '@svc/service-kit';

import { lockDataDir } from './data-dir/data-dir-lock.ts';
import { provideMasterKeyFile } from './data-dir/master-key.ts';
import { isPortFree } from './free-port.ts';
import { FLIGHTS_TOPIC, startFlightProducer } from './kafka/flight-producer.ts';
import { startKafkaBroker } from './kafka/kafka-broker.ts';
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts';
import { keepRunning, type KeptService } from './services/keep-running.ts';
import { SERVICES, type ServiceEntry } from './services/service-table.ts';
import { readLocalStackSettings, urlHost, type LocalStackSettings } from './settings.ts';
import { Stopper } from './stopper.ts';
import { waitUntil } from './wait-until.ts';

/** Options of the local stack. */
export interface LocalStackOptions {
  readonly env: Environment;
  /** The project's directory. */
  readonly directory: string;
  /** Brings the database at this URL to the newest version. */
  readonly migrate: (url: string) => Promise<unknown>;
  /** By default, all services of the product. */
  readonly services?: readonly ServiceEntry[];
  /** Starts a Kafka broker too, with a topic that receives messages continuously. */
  readonly withKafka?: boolean;
  /** Called with a line for the operator when a service has died and is started again. */
  readonly onNotice?: (line: string) => void;
  /** Aborts the start, and stops what was started. */
  readonly signal: AbortSignal;
}

/** Everything running. */
export interface LocalStack {
  readonly settings: LocalStackSettings;
  /** Names and addresses, in the order of the service table, the authorization server last. */
  readonly addresses: readonly Address[];
  /** The broker and its topic of sample messages, if requested. */
  readonly kafka: { readonly host: string; readonly port: number; readonly topic: string } | undefined;
  /** Resolves when a part has ended permanently, with a message for the operator. A crashed service is restarted. */
  readonly failed: Promise<string>;
  /** Stops everything in reverse order and waits until no process is left. */
  readonly stop: () => Promise<void>;
}

/** Address of a part. */
export interface Address {
  readonly name: string;
  readonly url: string;
  readonly adminUrl?: string;
}

/** Time to wait for the ports of a killed stack, whose processes end by themselves. */
const LEFT_BEHIND_TIMEOUT_MS = 15_000;

/**
 * Starts PostgreSQL (unless one is given), migrates it, and starts the authorization server and the services. Rejects with a
 * SettingsError or a StartError for faults that the operator can resolve, after stopping what was started.
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const settings = readLocalStackSettings(options.env, options.directory, options.services);
  const stopper = new Stopper();
  try {
    return await startParts(settings, options, stopper);
  } catch (error) {
    await stopper.stopAll();
    throw error;
  }
}

async function startParts(settings: LocalStackSettings, options: LocalStackOptions, stopper: Stopper): Promise<LocalStack> {
  const wasLeftBehind = await takeDataDir(settings.dataDir, stopper);
  await requireFreePorts(settings, options, wasLeftBehind ? LEFT_BEHIND_TIMEOUT_MS : 0);
  const database = await startDatabase(settings, options, stopper);
  const kafka = options.withKafka === true ? await startKafka(settings, options, stopper) : undefined;
  const authorizationUrl = await startAuthorization(settings, stopper);
  options.signal.throwIfAborted();
  const services = await startServices({ settings, options, databaseUrl: database.url, stopper });
  const endings = [...services.map(({ givenUp }) => givenUp), ...database.endings, ...(kafka?.endings ?? [])];
  return {
    settings,
    addresses: [...serviceAddresses(settings), { name: 'authorization', url: authorizationUrl }],
    kafka: kafka?.address,
    failed: Promise.race(endings),
    stop: () => stopper.stopAll(),
  };
}

async function takeDataDir(dataDir: string, stopper: Stopper): Promise<boolean> {
  try {
    await mkdir(dataDir, { recursive: true });
    const lock = await lockDataDir(dataDir);
    stopper.add(lock.release);
    return lock.wasLeftBehind;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`SVC_DATA_DIR cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

async function requireFreePorts(settings: LocalStackSettings, { withKafka }: LocalStackOptions, timeoutMs: number): Promise<void> {
  const { host } = settings;
  const ports = [
    { setting: 'SVC_AUTHORIZATION_PORT', port: settings.authorizationPort },
    ...(withKafka === true ? [{ setting: 'SVC_KAFKA_PORT', port: settings.kafkaPort }] : []),
    ...settings.servicePorts.flatMap(({ area, port, adminPort }) => [
      { setting: `SVC_${area}_PORT`, port },
      { setting: `SVC_${area}_ADMIN_PORT`, port: adminPort },
    ]),
  ];
  const deadline = performance.now() + timeoutMs;
  const busy: string[] = [];
  for (const { setting, port } of ports) {
    const left = Math.max(0, deadline - performance.now());
    if (!(await becomesFree(port, host, left)))
      busy.push(`Port ${port} is in use: stop what listens there, or set ${setting} to another one.`);
  }
  if (busy.length > 0) throw new StartError(busy.join('\n'));
}

async function becomesFree(port: number, host: string, timeoutMs: number): Promise<boolean> {
  if (timeoutMs === 0) return isFree(port, host);
  try {
    return await waitUntil(async () => (await isFree(port, host)) || undefined, { timeoutMs, what: `port ${port}` });
  } catch (error) {
    if (error instanceof StartError) throw error;
    return false;
  }
}

async function isFree(port: number, host: string): Promise<boolean> {
  try {
    return await isPortFree(port, host);
  } catch (error) {
    throw new StartError(`Nobody can listen on ${host}, port ${port} (SVC_HOST): ${(error as Error).message}.`, { cause: error });
  }
}

interface RunningDatabase {
  readonly url: string;
  readonly endings: readonly Promise<string>[];
}

async function startDatabase(settings: LocalStackSettings, { migrate }: LocalStackOptions, stopper: Stopper): Promise<RunningDatabase> {
  if (settings.databaseUrl !== undefined) {
    await migrate(settings.databaseUrl);
    return { url: settings.databaseUrl, endings: [] };
  }
  const postgres = await startEmbeddedPostgres({ directory: join(settings.dataDir, 'postgres') });
  stopper.add(postgres.stop);
  await migrate(postgres.url);
  return { url: postgres.url, endings: [postgres.ended.then(() => 'PostgreSQL has ended.')] };
}

interface RunningKafka {
  readonly address: LocalStack['kafka'];
  readonly endings: readonly Promise<string>[];
}

async function startKafka(settings: LocalStackSettings, options: LocalStackOptions, stopper: Stopper): Promise<RunningKafka> {
  const { env, directory, onNotice = () => undefined } = options;
  const { host, port, ended, stop } = await startKafkaBroker({ directory: join(settings.dataDir, 'kafka'), env, port: settings.kafkaPort });
  stopper.add(stop);
  const file = join(directory, 'examples', 'data', 'flights-2k.json');
  stopper.add(await startFlightProducer({ host, port, file, onNotice }));
  return { address: { host, port, topic: FLIGHTS_TOPIC }, endings: [ended.then(() => 'Kafka has ended.')] };
}

async function startAuthorization(settings: LocalStackSettings, stopper: Stopper): Promise<string> {
  const { dataDir } = settings;
  const [key, client, gatewayClient] = await Promise.all([loadSigningKey(dataDir), loadClient(dataDir), loadGatewayClient(dataDir)]);
  const { host, authorizationPort: port, issuer, audience, namespaceClaim } = settings;
  const consoleOrigins = findConsoleOrigins(settings);
  const server = await startAuthorizationServer({
    host,
    port,
    issuer,
    audience,
    namespaceClaim,
    key,
    client,
    gatewayClient,
    consoleOrigins,
  });
  stopper.add(server.stop);
  return `http://${urlHost(host)}:${port}`;
}

/** Returns the origins of the console, which the gateway serves. On the local machine it is reachable by name, too. */
function findConsoleOrigins({ host, servicePorts }: LocalStackSettings): readonly string[] {
  const port = servicePorts.find(({ name }) => name === 'gateway')?.port;
  if (port === undefined) return [];
  return [...new Set([urlHost(host), 'localhost'])].map((name) => `http://${name}:${port}`);
}

interface ServicesStart {
  readonly settings: LocalStackSettings;
  readonly options: LocalStackOptions;
  readonly databaseUrl: string;
  readonly stopper: Stopper;
}

async function startServices({ settings, options, databaseUrl, stopper }: ServicesStart): Promise<readonly KeptService[]> {
  const env = await serviceEnvironment(settings, options, databaseUrl);
  const launched = (options.services ?? SERVICES).map(({ name, area, entry }) => {
    const adminPort = settings.servicePorts.find((ports) => ports.area === area)?.adminPort;
    const readyUrl = `http://${urlHost(settings.host)}:${String(adminPort)}/ready`;
    const service = { name, entry, directory: options.directory, env, readyUrl, signal: options.signal };
    return keepRunning(service, options.onNotice ?? (() => undefined));
  });
  stopper.add(async () => void (await Promise.all(launched.map((service) => service.stop()))));
  // Each service reports its own faults: all are awaited before the first failure ends the start.
  const starts = await Promise.allSettled(launched.map((service) => service.becomesReady()));
  const failure = starts.find((start) => start.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return launched;
}

/** Returns the operator's settings, with the local stack's defaults. */
async function serviceEnvironment(
  settings: LocalStackSettings,
  { env, directory }: LocalStackOptions,
  databaseUrl: string,
): Promise<Environment> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const gateway = await loadGatewayClient(settings.dataDir);
  const executorPort = settings.servicePorts.find(({ name }) => name === 'executor')?.port;
  const isMasterKeyGiven = 'SVC_MASTER_KEY' in given || 'SVC_MASTER_KEY_FILE' in given;
  return {
    SVC_FILE_ROOTS: join(directory, 'examples', 'data'),
    SVC_NETWORK_ALLOW: '127.0.0.0/8,::1',
    SVC_KEY_ENVIRONMENT: 'local',
    SVC_GATEWAY_CLIENT_ID: gateway.id,
    SVC_GATEWAY_CLIENT_SECRET: gateway.secret,
    SVC_ACT_AS_CLIENT_ID: gateway.id,
    ...(executorPort !== undefined && { SVC_EXECUTOR_URL: `http://${urlHost(settings.host)}:${executorPort}` }),
    ...(isMasterKeyGiven ? {} : { SVC_MASTER_KEY_FILE: await provideMasterKeyFile(settings.dataDir) }),
    ...given,
    UV_THREADPOOL_SIZE: String(settings.threadPoolSize),
    SVC_HOST: settings.host,
    SVC_DATABASE_URL: databaseUrl,
    SVC_TOKEN_ISSUER: settings.issuer,
    SVC_TOKEN_AUDIENCE: settings.audience,
    SVC_TOKEN_JWKS_URL: settings.jwksUrl,
  };
}

function serviceAddresses({ host, servicePorts }: LocalStackSettings): readonly Address[] {
  const at = (port: number): string => `http://${urlHost(host)}:${port}`;
  return servicePorts.map(({ name, port, adminPort }) => ({ name, url: at(port), adminUrl: at(adminPort) }));
}
