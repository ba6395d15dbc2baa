import { requireScope } from '@svc/auth';
import { ApiKeyStore, ApplicationStore, AuditStore } from '@svc/database';
import type { Logger, ReadinessCheck, Resource } from '@svc/service-kit';
import { openServiceBase } from '@svc/service-setup';
import { createVault } from '@svc/vault';

import { ADMINISTRATION_SCOPE, type GatewayDependencies } from './app.ts';
import { ApplicationAdministration } from './applications/application-administration.ts';
import type { GatewayConfig } from './config.ts';
import { findConsole } from './console/find-console.ts';
import { KeyAdministration } from './keys/key-administration.ts';

/** All that the gateway holds: what its application needs, what says whether it is ready, and what is closed when it stops. */
export interface OpenedDependencies {
  readonly app: GatewayDependencies;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly resources: readonly Resource[];
}

/** Opens the database and the vault as configured. `now` is the clock by which keys expire. */
export function openDependencies(config: GatewayConfig, logger: Logger, now = (): Date => new Date()): OpenedDependencies {
  const base = openServiceBase('gateway', config);
  const { database, metrics } = base;
  const applications = new ApplicationStore(database);
  const keys = new KeyAdministration({
    keys: new ApiKeyStore(database),
    applications,
    vault: createVault(config),
    environment: config.keyEnvironment,
    now,
  });
  const console = findConsole(config);
  if (console === undefined) logger.warn('There is no console: it was not built, and SVC_CONSOLE_DIR is not set');
  return {
    app: {
      keys,
      applications: new ApplicationAdministration({ applications }),
      audit: new AuditStore(database),
      console,
      authenticate: requireScope(base.authenticate, ADMINISTRATION_SCOPE),
      bodyLimitBytes: config.bodyLimitBytes,
      corsOrigins: config.corsOrigins,
      logger,
      metrics,
    },
    checks: base.checks,
    resources: base.resources,
  };
}
