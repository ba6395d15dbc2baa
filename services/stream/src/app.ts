import type { Authenticator, Principal } from '@svc/auth';
import { createHttpApp, type HttpMetrics, type Logger } from '@svc/service-kit';
import { explainDatabaseFailure } from '@svc/service-setup';
import type { Express } from 'express';

import { streamRoutes, type StreamRoutesOptions } from './streams/stream-routes.ts';

/** Dependencies of the stream service's application. */
export interface StreamDependencies extends StreamRoutesOptions {
  readonly authenticate: Authenticator;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  readonly logger: Logger;
  readonly metrics: HttpMetrics;
}

/** The application of the stream service: a function of its dependencies. */
export function createStreamApp({ streams, world, ...rest }: StreamDependencies): Express {
  return createHttpApp<Principal>({
    ...rest,
    description: { title: 'Streams', version: '2', description: 'Stores messages of Kafka topics in tables, each exactly once.' },
    routes: streamRoutes({ streams, world }),
    toPublic: explainDatabaseFailure,
  });
}
