import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

import {
  integerSetting,
  optional,
  readEnv,
  secret,
  SettingsError,
  textSetting,
  urlSetting,
  withDefault,
  type Environment,
  type Setting,
} from '@svc/service-kit';

import { SERVICES, type ServiceEntry } from './services/service-table.ts';

/** Settings of the local stack. All others are passed on to the services unchanged. */
export interface LocalStackSettings {
  readonly host: string;
  readonly dataDir: string;
  /** A PostgreSQL of the operator's own. */
  readonly databaseUrl: string | undefined;
  readonly authorizationPort: number;
  /** Port of the Kafka broker, if there is one. */
  readonly kafkaPort: number;
  readonly issuer: string;
  readonly audience: string;
  /** The claim of access tokens that names the namespace. */
  readonly namespaceClaim: string;
  readonly jwksUrl: string;
  readonly servicePorts: readonly ServicePorts[];
  /** Size of Node's thread pool: a running statement of the engine holds one thread, and file operations need some too. */
  readonly threadPoolSize: number;
}

/** Ports of a service. */
export interface ServicePorts {
  readonly name: string;
  /** The middle of the names of its port settings. */
  readonly area: string;
  readonly port: number;
  readonly adminPort: number;
}

/** Threads besides those that wait for the engine. */
const SPARE_THREADS = 16;

const LOCAL_AUDIENCE = 'urn:svc:local';

/** Throws a SettingsError that names every setting that cannot be used. `directory` is the project's. */
export function readLocalStackSettings(env: Environment, directory: string, services = SERVICES): LocalStackSettings {
  const shape = settingsShape(directory);
  const portShape = Object.fromEntries(portDefaults(services).map(({ name, fallback }) => [name, portSetting(name, fallback)]));
  // All settings first, so that the operator sees every fault at once.
  readEnv<Readonly<Record<string, Setting<unknown>>>>(env, { ...shape, ...portShape });
  const { settings } = readEnv(env, shape);
  const { settings: ports } = readEnv(env, portShape);
  refuseSharedPorts(ports);
  const authorizationPort = ports[AUTHORIZATION_PORT] ?? 0;
  const authorizationUrl = `http://${urlHost(settings.host)}:${authorizationPort}`;
  return {
    host: settings.host,
    dataDir: resolve(directory, settings.dataDir),
    databaseUrl: settings.databaseUrl?.href,
    authorizationPort,
    kafkaPort: ports[KAFKA_PORT] ?? 0,
    issuer: settings.issuer ?? authorizationUrl,
    audience: settings.audience,
    namespaceClaim: settings.namespaceClaim,
    jwksUrl: settings.jwksUrl?.href ?? `${authorizationUrl}/jwks`,
    servicePorts: services.map(({ name, area }) => ({
      name,
      area,
      port: ports[`SVC_${area}_PORT`] ?? 0,
      adminPort: ports[`SVC_${area}_ADMIN_PORT`] ?? 0,
    })),
    threadPoolSize: settings.threadPoolSize ?? settings.concurrency + SPARE_THREADS,
  };
}

function settingsShape(directory: string) {
  return {
    host: withDefault(textSetting('SVC_HOST', 'an address to listen on'), '127.0.0.1'),
    dataDir: withDefault(textSetting('SVC_DATA_DIR', 'a directory'), join(directory, '.data')),
    databaseUrl: optional(secret(urlSetting('SVC_DATABASE_URL', ['postgresql', 'postgres']))),
    // Unchanged: issuers are compared letter by letter.
    issuer: optional(textSetting('SVC_TOKEN_ISSUER', 'a URL')),
    audience: withDefault(textSetting('SVC_TOKEN_AUDIENCE'), LOCAL_AUDIENCE),
    namespaceClaim: withDefault(textSetting('SVC_NAMESPACE_CLAIM', 'the name of a claim'), 'sub'),
    jwksUrl: optional(urlSetting('SVC_TOKEN_JWKS_URL')),
    concurrency: withDefault(integerSetting('SVC_QUERY_CONCURRENCY', { min: 1 }), 4 * availableParallelism()),
    threadPoolSize: optional(integerSetting('UV_THREADPOOL_SIZE', { min: 1 })),
  } as const;
}

const AUTHORIZATION_PORT = 'SVC_AUTHORIZATION_PORT';
const KAFKA_PORT = 'SVC_KAFKA_PORT';

function portDefaults(services: readonly ServiceEntry[]): readonly { readonly name: string; readonly fallback: number }[] {
  return [
    { name: AUTHORIZATION_PORT, fallback: 8084 },
    { name: KAFKA_PORT, fallback: 9092 },
    ...services.flatMap(({ area, port, adminPort }) => [
      { name: `SVC_${area}_PORT`, fallback: port },
      { name: `SVC_${area}_ADMIN_PORT`, fallback: adminPort },
    ]),
  ];
}

/** Returns the address, in URL form, at which a server that listens on `host` is reachable from this machine. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Tokens name the authorization server by its port, so it must be known beforehand: 0 cannot be used. */
function portSetting(name: string, fallback: number) {
  return withDefault(integerSetting(name, { min: 1, max: 65_535 }), fallback);
}

function refuseSharedPorts(ports: Readonly<Record<string, number>>): void {
  const entries = Object.entries(ports);
  const problems = entries.flatMap(([name, port], index) => {
    const [other] = entries.slice(0, index).find(([, earlier]) => earlier === port) ?? [];
    return other === undefined ? [] : [`${name} cannot be used: ${other} is ${port} too`];
  });
  if (problems.length > 0) throw new SettingsError(problems);
}
