import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import { createAccessTokenVerifier, createBearerAuthenticator } from '@svc/auth';
import { createCatalogReader } from '@svc/catalog';
import { CatalogStore, openDatabase, schemaStatus } from '@svc/database';
import type { Database } from '@svc/database';
import { createEnginePool } from '@svc/query-engine';
import type { EnginePool } from '@svc/query-engine';
import { printPlan } from '@svc/query-language';
import { Admission, QueryRuntime, RunningQueries } from '@svc/query-runtime';
import type { HttpMetrics, Logger, ReadinessCheck, Resource } from '@svc/service-kit';
import { createHttpMetrics } from '@svc/service-kit';
import { Sources, SpoolLedger, openSpoolFolder } from '@svc/sources';
import { Gauge } from 'prom-client';

import type { ExecutorDependencies } from './app.ts';
import { openStoredTexts } from './catalog/stored-texts.ts';
import type { ExecutorConfig } from './config.ts';
import type { Door } from './queries/door.ts';
import { openDoor } from './queries/door.ts';
import { openQueryCancellation } from './queries/query-cancellation.ts';
import { tableOpener } from './tables/open-tables.ts';
import { TableCatalog } from './tables/table-catalog.ts';

const QUEUE_WAIT_MILLIS = 10_000;
const MAX_ROW_CONNECTIONS = 10;
const MAX_SCAN_CONNECTIONS = 10;

/** All that the executor holds: what its application needs, what says whether it is ready, and what is closed when it stops. */
export interface OpenedDependencies {
  readonly app: ExecutorDependencies;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly resources: readonly Resource[];
  /** Goes before the application. */
  readonly guard: Door['guard'];
  readonly engine: EnginePool;
}

/** Opens database, engines and sources as configured. */
export async function openDependencies(config: ExecutorConfig, logger: Logger): Promise<OpenedDependencies> {
  const spoolParent = config.spoolDirectory ?? tmpdir();
  const spool = await openSpoolFolder(await realpath(spoolParent));
  const spoolDirectory = spool.path;
  const ledger = new SpoolLedger({ megabytes: config.spoolMegabytes / 2 });
  const fileRoots = await Promise.all(config.fileRoots.map((root) => realpath(root).catch(() => root)));
  const engine = createEnginePool({
    memoryMegabytes: config.queryMemoryMegabytes,
    threads: config.queryThreads,
    concurrency: config.queryConcurrency,
    spoolDirectory,
    // Engines take it twice: for what they spill and for results that are files. The rest is for copies and rows of tables.
    spoolMegabytes: config.spoolMegabytes / 4,
    readRoots: fileRoots,
  });
  const database = openDatabase({ url: config.databaseUrl, applicationName: 'svc-executor' });
  // Rows come and go for as long as an upload or a scan takes; names must be found beside them, and neither keeps the other out.
  const rows = openDatabase({
    url: config.databaseUrl,
    applicationName: 'svc-executor-rows',
    maxConnections: MAX_ROW_CONNECTIONS,
    connectTimeoutMs: QUEUE_WAIT_MILLIS,
  });
  const scans = openDatabase({
    url: config.databaseUrl,
    applicationName: 'svc-executor-scans',
    maxConnections: Math.min(config.queryConcurrency, MAX_SCAN_CONNECTIONS),
    connectTimeoutMs: QUEUE_WAIT_MILLIS,
  });
  const admission = new Admission({
    concurrency: config.queryConcurrency,
    waitMillis: QUEUE_WAIT_MILLIS,
    maxWaiting: config.queryConcurrency * 16,
    concurrencyPerSubject: config.queryConcurrencyPerSubject ?? Math.max(1, Math.ceil(config.queryConcurrency / 2)),
  });
  const runtime = new QueryRuntime({
    engine,
    admission,
    sources: new Sources({ fileRoots, spoolDirectory, ledger }),
    catalog: createCatalogReader({ catalog: new CatalogStore(database) }),
    openTables: tableOpener({ rows: scans, spoolDirectory, ledger }),
    timeoutMillis: config.queryTimeoutMillis,
    spoolDirectory,
    onCompiled: ({ plan, sql }) => {
      if (logger.isLevelEnabled('debug')) logger.debug({ plan: printPlan(plan), sql }, 'compiled');
    },
  });
  const queries = new RunningQueries();
  const cancellation = openQueryCancellation({ running: queries, database, databaseUrl: config.databaseUrl, logger });
  const verifier = createAccessTokenVerifier({
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    jwksUrl: config.tokenJwksUrl,
    namespaceClaim: config.namespaceClaim,
    requiredScope: config.requiredScope,
  });
  const metrics = addGauges(createHttpMetrics(), { admission, database, ledger });
  const door = openDoor({ admission, authenticate: createBearerAuthenticator(verifier), metrics, logger });
  return {
    engine,
    guard: door.guard,
    app: {
      runtime,
      queries,
      texts: openStoredTexts({ database, runtime }),
      tables: new TableCatalog({ database, rows }),
      cancelQuery: cancellation.cancel,
      logger,
      authenticate: door.authenticate,
      arrive: door.arrive,
      bodyLimitBytes: config.bodyLimitBytes,
      corsOrigins: config.corsOrigins,
      metrics,
    },
    checks: { database: () => checkDatabase(database) },
    resources: [
      { name: 'engines', close: () => engine.close() },
      { name: 'cancellation', close: () => cancellation.close() },
      { name: 'rows', close: () => rows.close() },
      { name: 'scans', close: () => scans.close() },
      { name: 'database', close: () => database.close() },
      { name: 'spool', close: () => spool.close() },
    ],
  };
}

/** Ready means: the database answers and has the tables that this version knows. */
async function checkDatabase(database: Database): Promise<void> {
  const status = await schemaStatus(database.db);
  if (status.kind !== 'current') throw new Error(`the database is ${status.kind}`);
}

function addGauges(
  metrics: HttpMetrics,
  of: { readonly admission: Admission; readonly database: Database; readonly ledger: SpoolLedger },
): HttpMetrics {
  const gauge = (name: string, help: string, value: () => number): void => {
    const created: Gauge = new Gauge({ name, help, registers: [metrics.registry], collect: () => created.set(value()) });
  };
  gauge('svc_queries_running', 'Queries that run now.', () => of.admission.load().running);
  gauge('svc_queries_waiting', 'Queries that wait for a place.', () => of.admission.load().waiting);
  gauge('svc_spool_bytes', 'Bytes of copies and of rows of tables in the spool.', () => of.ledger.taken);
  gauge('svc_database_connections', 'Connections to the database.', () => of.database.poolState().total);
  gauge('svc_database_waiting', 'Callers that wait for a connection to the database.', () => of.database.poolState().waiting);
  return metrics;
}
