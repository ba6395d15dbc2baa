import type { Authenticator, Principal } from '@svc/auth';
import { createHttpApp, type HttpMetrics, type Logger } from '@svc/service-kit';
import { explainDatabaseFailure } from '@svc/service-setup';
import type { CredentialChecks } from '@svc/sources';
import type { Credentials } from '@svc/vault';
import type { Express, RequestHandler } from 'express';

import { bucketRoutes } from './buckets/bucket-routes.ts';
import { checkRoutes } from './checks/check-routes.ts';
import { databaseServerRoutes } from './database-servers/database-server-routes.ts';
import { fileHostTokenRoutes } from './file-host-token/file-host-token-routes.ts';
import { httpCredentialRoutes } from './http-credentials/http-credential-routes.ts';
import { overviewRoutes } from './overview/overview-routes.ts';

/** Dependencies of the application. */
export interface CredentialsDependencies {
  readonly credentials: Credentials;
  /** Tries them. */
  readonly checks: CredentialChecks;
  readonly authenticate: Authenticator;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  readonly logger: Logger;
  readonly metrics: HttpMetrics;
}

/** The application of the credentials service: a function of its dependencies. */
export function createCredentialsApp({ credentials, checks, ...rest }: CredentialsDependencies): Express {
  return createHttpApp<Principal>({
    ...rest,
    description: { title: 'Credentials', version: '2', description: 'Keeps the credentials with which queries read.' },
    routes: [
      ...bucketRoutes(credentials),
      ...databaseServerRoutes(credentials),
      ...fileHostTokenRoutes(credentials),
      ...httpCredentialRoutes(credentials),
      ...checkRoutes(credentials, checks),
      ...overviewRoutes(credentials),
    ],
    early: [forbidStoring],
    toPublic: explainDatabaseFailure,
  });
}

/** Any response may contain a secret or reveal that one exists. */
const forbidStoring: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
