import type { Authenticator, Principal } from '@svc/auth';
import type { AuditStore } from '@svc/database';
import { createHttpApp, type HttpMetrics, type Logger } from '@svc/service-kit';
import { explainDatabaseFailure } from '@svc/service-setup';
import type { Express, RequestHandler } from 'express';

import type { ApplicationAdministration } from './applications/application-administration.ts';
import { applicationRoutes } from './applications/application-routes.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { createCallHandler, type CallHandling } from './calls/call-handler.ts';
import { serveConsole, type ConsoleSite } from './console/serve-console.ts';
import type { KeyAdministration } from './keys/key-administration.ts';
import { keyRoutes } from './keys/key-routes.ts';
import { openApiRoute } from './openapi/open-api-route.ts';

/** The scope that a token needs for the administration. */
export const ADMINISTRATION_SCOPE = 'svc:admin';

/** Dependencies of the gateway's application. */
export interface GatewayDependencies {
  readonly keys: KeyAdministration;
  readonly applications: ApplicationAdministration;
  readonly audit: AuditStore;
  /** Dependencies of endpoint calls. */
  readonly calls: Omit<CallHandling, 'bodyLimitBytes'>;
  /** Addresses and networks whose `X-Forwarded-…` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Undefined if the console was not built. */
  readonly console: ConsoleSite | undefined;
  /** Authenticates administrators. */
  readonly authenticate: Authenticator;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  readonly logger: Logger;
  readonly metrics: HttpMetrics;
}

/** The gateway's application: a function of its dependencies. */
export function createGatewayApp(dependencies: GatewayDependencies): Express {
  const { keys, applications, audit, calls, console, trustedProxies, ...rest } = dependencies;
  const { bodyLimitBytes } = rest;
  const app = createHttpApp<Principal>({
    ...rest,
    description: {
      title: 'Gateway',
      version: '1',
      description: 'Answers endpoints of applications, and administrates them and their API keys.',
    },
    routes: [...keyRoutes(keys), ...applicationRoutes({ applications, bodyLimitBytes }), ...auditRoutes(audit), openApiRoute(calls)],
    beforeRoutes: [createCallHandler({ ...calls, bodyLimitBytes })],
    early: [storeNothing, ...(console === undefined ? [] : [serveConsole(console)])],
    toPublic: explainDatabaseFailure,
  });
  app.set('trust proxy', [...trustedProxies]);
  return app;
}

/** Forbids caching of administrative responses, also of errors: they contain keys and their owners. */
const storeNothing: RequestHandler = (req, res, next) => {
  if (req.path.startsWith('/svc/')) res.setHeader('Cache-Control', 'no-store');
  next();
};
