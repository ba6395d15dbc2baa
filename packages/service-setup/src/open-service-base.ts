import { createAccessTokenVerifier, createBearerAuthenticator, type Authenticator } from '@svc/auth';
import { openDatabase, schemaStatus, type Database } from '@svc/database';
import { addGauge, createHttpMetrics, type HttpMetrics, type ReadinessCheck, type Resource, type SettingValues } from '@svc/service-kit';

import type { serviceSettings } from './service-settings.ts';

/** The values of the settings of every service. */
export type ServiceSettings = SettingValues<ReturnType<typeof serviceSettings>>;

/** The client that may call on behalf of others, if configured. */
export interface ActingClient {
  readonly actingClientId?: string | undefined;
}

/** The parts that every service has, open. */
export interface ServiceBase {
  /** Metadata in PostgreSQL. */
  readonly database: Database;
  /** Authenticates callers by their access tokens. */
  readonly authenticate: Authenticator;
  /** With gauges of the database's connections. */
  readonly metrics: HttpMetrics;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** To be closed after the resources of the service itself. */
  readonly resources: readonly Resource[];
}

/** Opens the resources common to all services. Does not wait: the database is connected to on first use. */
export function openServiceBase(name: string, settings: ServiceSettings & ActingClient): ServiceBase {
  const { databaseUrl: url, statementTimeoutMillis: statementTimeoutMs } = settings;
  const database = openDatabase({ url, applicationName: `svc-${name}`, statementTimeoutMs });
  const metrics = createHttpMetrics();
  addGauge(metrics, {
    name: 'svc_database_connections',
    help: 'Connections to the database.',
    value: () => database.poolState().total,
  });
  addGauge(metrics, {
    name: 'svc_database_waiting',
    help: 'Callers that wait for a connection to the database.',
    value: () => database.poolState().waiting,
  });
  return {
    database,
    authenticate: authenticator(settings),
    metrics,
    checks: { database: () => checkDatabase(database) },
    resources: [{ name: 'database', close: () => database.close() }],
  };
}

function authenticator(settings: ServiceSettings & ActingClient): Authenticator {
  return createBearerAuthenticator(
    createAccessTokenVerifier({
      issuer: settings.tokenIssuer,
      audience: settings.tokenAudience,
      jwksUrl: settings.tokenJwksUrl,
      namespaceClaim: settings.namespaceClaim,
      requiredScope: settings.requiredScope,
      actingClientId: settings.actingClientId,
    }),
  );
}

/** Ready means: the database answers and has a schema that this version works with. A newer one that does not break it is one. */
async function checkDatabase(database: Database): Promise<void> {
  const status = await schemaStatus(database.db);
  if (status.kind === 'behind')
    throw new Error(`the database has schema version ${status.version}, and this program needs ${status.expected}: run the migrations`);
  if (status.kind === 'ahead')
    throw new Error(`the database has schema version ${status.version}, which breaks programs of version ${status.expected}`);
}
