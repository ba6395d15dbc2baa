import { ACT_AS_SCOPE, requireScope } from '@svc/auth';
import { ApiKeyStore, ApplicationStore, AuditStore, RateLimitStore } from '@svc/database';
import type { Logger, ReadinessCheck, Resource } from '@svc/service-kit';
import { openServiceBase } from '@svc/service-setup';
import { createVault } from '@svc/vault';

import { ADMINISTRATION_SCOPE, type GatewayDependencies } from './app.ts';
import { ApplicationCache } from './applications/application-cache.ts';
import { ApplicationAdministration } from './applications/application-administration.ts';
import { watchDefinitionFaults, type DefinitionFaults } from './applications/definition-faults.ts';
import { watchEndpointFiles, type EndpointFiles } from './applications/endpoint-files.ts';
import { watchChanges } from './callers/change-watch.ts';
import { KeyCheck } from './callers/key-check.ts';
import { KeyUses } from './callers/key-uses.ts';
import { ExecutorClient } from './calls/executor-client.ts';
import { ServiceToken } from './calls/service-token.ts';
import type { GatewayConfig } from './config.ts';
import { findConsole } from './console/find-console.ts';
import { KeyAdministration } from './keys/key-administration.ts';

/** The resources of the gateway: the dependencies of its application, its readiness checks, and what to close at the end. */
export interface OpenedDependencies {
  readonly app: GatewayDependencies;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Faults in definitions: shown by `/ready` without affecting readiness. */
  readonly details: () => Readonly<Record<string, unknown>>;
  readonly resources: readonly Resource[];
}

/** The clock, and an interval; tests replace both. */
export interface Timing {
  /** The clock by which keys expire. */
  readonly now?: (() => Date) | undefined;
  /** Interval at which uses of keys are written. */
  readonly flushMillis?: number;
}

/** Opens the database and the vault as configured. */
export function openDependencies(
  config: GatewayConfig,
  logger: Logger,
  { now = () => new Date(), ...flushing }: Timing = {},
): OpenedDependencies {
  const base = openServiceBase('gateway', config);
  const { database, metrics } = base;
  const applications = new ApplicationStore(database);
  const keyStore = new ApiKeyStore(database);
  const keys = new KeyAdministration({
    keys: keyStore,
    applications,
    vault: createVault(config),
    environment: config.keyEnvironment,
    now,
  });
  const cache = new ApplicationCache({ applications });
  const keyCheck = new KeyCheck({ keys: keyStore, now, isFresh: () => watch.isFresh() });
  const faults = watchDefinitionFaults({ applications, logger });
  const watch = watchChanges({
    database,
    databaseUrl: config.databaseUrl,
    onChange: (subject, id) => {
      if (subject === 'keys') return keyCheck.forget(id);
      cache.forget();
      return faults.refresh();
    },
    logger,
  });
  const uses = new KeyUses({ keys: keyStore, logger, ...flushing });
  const executor = openExecutor(config);
  const files = { current: undefined as EndpointFiles | undefined };
  const administration = new ApplicationAdministration({ applications, files: () => files.current });
  if (config.endpointsDirectory !== undefined)
    files.current = watchEndpointFiles({ directory: config.endpointsDirectory, administration, applications, logger });
  const console = findConsole(config);
  if (console === undefined) logger.warn('There is no console: it was not built, and SVC_CONSOLE_DIR is not set');
  return {
    app: {
      keys,
      applications: administration,
      audit: new AuditStore(database),
      calls: { applications: cache, keyCheck, executor, uses, limits: new RateLimitStore(database), now },
      trustedProxies: config.trustedProxies,
      console,
      authenticate: requireScope(base.authenticate, ADMINISTRATION_SCOPE),
      bodyLimitBytes: config.bodyLimitBytes,
      corsOrigins: config.corsOrigins,
      logger,
      metrics,
    },
    checks: base.checks,
    details: () => ({ definitions: describeFaults(faults, files.current) }),
    resources: [
      { name: 'executor', close: () => executor.close() },
      { name: 'definitions', close: async () => files.current?.close() },
      { name: 'changes', close: () => watch.close() },
      { name: 'faults', close: () => faults.close() },
      { name: 'uses', close: () => uses.close() },
      ...base.resources,
    ],
  };
}

/** Returns the faults of stored definitions and of files, by application. */
function describeFaults(stored: DefinitionFaults, files: EndpointFiles | undefined): Readonly<Record<string, readonly string[]>> {
  const messages = new Map(stored.faults());
  for (const [name, { problems }] of files?.faults() ?? [])
    messages.set(name, [...(messages.get(name) ?? []), ...problems.map(({ message }) => message)]);
  return Object.fromEntries(messages);
}

function openExecutor(config: GatewayConfig): ExecutorClient {
  const { tokenIssuer: issuer, tokenUrl, tokenAudience: audience, clientId, clientSecret, requiredScope } = config;
  const scope = [ACT_AS_SCOPE, ...(requiredScope === undefined ? [] : [requiredScope])].join(' ');
  const token = new ServiceToken({ issuer, tokenUrl, audience, clientId, clientSecret, scope });
  return new ExecutorClient({ url: config.executorUrl, token, timeoutMillis: config.timeoutMillis });
}
