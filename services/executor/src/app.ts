import type { IncomingMessage } from 'node:http';

import type { Authenticator, Principal } from '@svc/auth';
import type { QueryRuntime, RunningQueries } from '@svc/query-runtime';
import type { HttpMetrics, Logger } from '@svc/service-kit';
import { createHttpApp } from '@svc/service-kit';
import { explainDatabaseFailure } from '@svc/service-setup';
import type { Express } from 'express';

import { catalogRoutes } from './catalog/catalog-routes.ts';
import type { StoredTexts } from './catalog/stored-texts.ts';
import { functionRoutes } from './packages/function-routes.ts';
import { openapiRoutes } from './packages/openapi-routes.ts';
import { packageRoutes } from './packages/package-routes.ts';
import { setQueryId } from './queries/answer-query.ts';
import type { QueryCancellation } from './queries/query-cancellation.ts';
import { queryRoutes } from './queries/query-routes.ts';
import { runningQueryRoutes } from './queries/running-query-routes.ts';
import type { TableCatalog } from './tables/table-catalog.ts';
import { tableRoutes } from './tables/table-routes.ts';
import { viewRoutes } from './views/view-routes.ts';

/** Dependencies of the executor's application. */
export interface ExecutorDependencies {
  readonly runtime: QueryRuntime;
  /** The running queries of this process. */
  readonly queries: RunningQueries;
  /** Called right before the query of a request enters admission. */
  readonly arrive: (req: IncomingMessage) => void;
  readonly cancelQuery: QueryCancellation['cancel'];
  readonly texts: StoredTexts;
  readonly tables: TableCatalog;
  readonly authenticate: Authenticator;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  readonly logger: Logger;
  readonly metrics: HttpMetrics;
}

/** The executor's application: a function of its dependencies. */
export function createExecutorApp(dependencies: ExecutorDependencies): Express {
  const { runtime, queries, arrive, cancelQuery, texts, tables, ...rest } = dependencies;
  return createHttpApp<Principal>({
    ...rest,
    description: { title: 'Executor', version: '2', description: 'Runs queries and keeps views, packages and tables.' },
    routes: [
      ...queryRoutes({ runtime, queries, arrive }),
      ...runningQueryRoutes(queries, cancelQuery),
      ...viewRoutes(texts),
      ...packageRoutes(texts),
      ...functionRoutes(texts, { runtime, queries, arrive }),
      ...openapiRoutes(texts, runtime),
      ...tableRoutes(tables),
      ...catalogRoutes(texts),
    ],
    early: [setQueryId],
    toPublic: explainDatabaseFailure,
  });
}
