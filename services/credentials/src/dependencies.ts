import { CredentialEventStore, CredentialStore } from '@svc/database';
import type { Logger, ReadinessCheck, Resource } from '@svc/service-kit';
import { openServiceBase } from '@svc/service-setup';
import { Credentials, createVault, keepEventsFor } from '@svc/vault';

import type { CredentialsDependencies } from './app.ts';
import type { CredentialsConfig } from './config.ts';

/** All that the service holds: what its application needs, what says whether it is ready, and what is closed when it stops. */
export interface OpenedDependencies {
  readonly app: CredentialsDependencies;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly resources: readonly Resource[];
}

/** Opens the database as configured, and starts to delete old entries of the audit trail. */
export function openDependencies(config: CredentialsConfig, logger: Logger): OpenedDependencies {
  const { database, authenticate, metrics, checks, resources } = openServiceBase('credentials', config);
  const events = new CredentialEventStore(database);
  const retention = keepEventsFor({
    events,
    days: config.auditDays,
    onFailure: (err) => logger.warn({ err }, 'audit trail not shortened'),
  });
  return {
    app: {
      credentials: new Credentials({ store: new CredentialStore(database), events, vault: createVault(config) }),
      authenticate,
      bodyLimitBytes: config.bodyLimitBytes,
      corsOrigins: config.corsOrigins,
      logger,
      metrics,
    },
    checks,
    resources: [{ name: 'retention', close: () => retention.close() }, ...resources],
  };
}
