import { CredentialEventStore, CredentialStore } from '@svc/database';
import { createNetworkGuard } from '@svc/network-guard';
import type { Logger, ReadinessCheck, Resource } from '@svc/service-kit';
import { openServiceBase } from '@svc/service-setup';
import { createCredentialChecks } from '@svc/sources';
import { Credentials, createCredentialReader, createVault, keepEventsFor } from '@svc/vault';

import type { CredentialsDependencies } from './app.ts';
import type { CredentialsConfig } from './config.ts';

/** The resources of the service: the dependencies of its application, its readiness checks, and what to close at the end. */
export interface OpenedDependencies {
  readonly app: CredentialsDependencies;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly resources: readonly Resource[];
}

/** Opens the database as configured, and starts to delete old entries of the audit trail. */
export function openDependencies(config: CredentialsConfig, logger: Logger): OpenedDependencies {
  const { database, authenticate, metrics, checks: readiness, resources } = openServiceBase('credentials', config);
  const parts = { store: new CredentialStore(database), events: new CredentialEventStore(database), vault: createVault(config) };
  const { events } = parts;
  const networkGuard = createNetworkGuard({ allow: config.networkAllow });
  const checks = createCredentialChecks({
    networkGuard,
    endpoints: { s3: config.s3Endpoint, fileHost: config.fileHostUrl },
    // Tests of credentials are not recorded as uses.
    credentials: createCredentialReader({ ...parts, onFailure: () => undefined }),
  });
  const retention = keepEventsFor({
    events,
    days: config.auditDays,
    onFailure: (err) => logger.warn({ err }, 'audit trail not shortened'),
  });
  return {
    app: {
      credentials: new Credentials(parts),
      checks,
      authenticate,
      bodyLimitBytes: config.bodyLimitBytes,
      corsOrigins: config.corsOrigins,
      logger,
      metrics,
    },
    checks: readiness,
    resources: [
      { name: 'retention', close: () => retention.close() },
      { name: 'checks', close: () => checks.close() },
      { name: 'network', close: async () => networkGuard.close() },
      ...resources,
    ],
  };
}
