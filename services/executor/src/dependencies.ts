import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import { createAccessTokenVerifier, createBearerAuthenticator, type Authenticator } from '@svc/auth';
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
  const spool = await openSpoolFolder(await realpath(config.spoolDirectory ?? tmpdir()));
  const fileRoots = await Promise.all(config.fileRoots.map((root) => realpath(root).catch(() => root)));
  const folders = { spoolDirectory: spool.path, fileRoots };
  const engine = openEngines(config, folders);
  const databases = openDatabases(config);
  const { database, rows } = databases;
  const admission = openAdmission(config);
  const ledger = new SpoolLedger({ megabytes: config.spoolMegabytes / 2 });
  const runtime = openRuntime(config, { ...folders, ...databases, engine, admission, ledger, logger });
  const queries = new RunningQueries();
  const cancellation = openQueryCancellation({ running: queries, database, databaseUrl: config.databaseUrl, logger });
  const metrics = addGauges(createHttpMetrics(), { admission, database, ledger });
  const door = openDoor({ admission, authenticate: bearerAuthenticator(config), metrics, logger });
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
      { name: 'compiler', close: () => runtime.close() },
      { name: 'cancellation', close: () => cancellation.close() },
      { name: 'rows', close: () => rows.close() },
      { name: 'scans', close: () => databases.scans.close() },
      { name: 'database', close: () => database.close() },
      { name: 'spool', close: () => spool.close() },
    ],
  };
}

interface Folders {
  readonly spoolDirectory: string;
  /** Folders that queries may read. */
  readonly fileRoots: readonly string[];
}

function openEngines(config: ExecutorConfig, { spoolDirectory, fileRoots }: Folders): EnginePool {
  return createEnginePool({
    memoryMegabytes: config.queryMemoryMegabytes,
    threads: config.queryThreads,
    concurrency: config.queryConcurrency,
    spoolDirectory,
    // Engines take it twice: for what they spill and for results that are files. The rest is for copies and rows of tables.
    spoolMegabytes: config.spoolMegabytes / 4,
    readRoots: fileRoots,
  });
}

interface Databases {
  readonly rows: Database;
  readonly scans: Database;
  readonly database: Database;
}

/** Rows come and go for as long as an upload or a scan takes; names must be found beside them, and neither keeps the other out. */
function openDatabases({ databaseUrl: url, queryConcurrency }: ExecutorConfig): Databases {
  return {
    rows: openDatabase({
      url,
      applicationName: 'svc-executor-rows',
      maxConnections: MAX_ROW_CONNECTIONS,
      connectTimeoutMs: QUEUE_WAIT_MILLIS,
    }),
    scans: openDatabase({
      url,
      applicationName: 'svc-executor-scans',
      maxConnections: Math.min(queryConcurrency, MAX_SCAN_CONNECTIONS),
      connectTimeoutMs: QUEUE_WAIT_MILLIS,
    }),
    database: openDatabase({ url, applicationName: 'svc-executor' }),
  };
}

function openAdmission({ queryConcurrency, queryConcurrencyPerSubject }: ExecutorConfig): Admission {
  return new Admission({
    concurrency: queryConcurrency,
    waitMillis: QUEUE_WAIT_MILLIS,
    maxWaiting: queryConcurrency * 16,
    concurrencyPerSubject: queryConcurrencyPerSubject ?? Math.max(1, Math.ceil(queryConcurrency / 2)),
  });
}

interface RuntimeParts extends Folders, Databases {
  readonly engine: EnginePool;
  readonly admission: Admission;
  readonly ledger: SpoolLedger;
  readonly logger: Logger;
}

function openRuntime(config: ExecutorConfig, parts: RuntimeParts): QueryRuntime {
  const { engine, admission, fileRoots, spoolDirectory, ledger, database, scans, logger } = parts;
  return new QueryRuntime({
    engine,
    admission,
    sources: new Sources({ fileRoots, spoolDirectory, ledger }),
    catalog: createCatalogReader({ catalog: new CatalogStore(database) }),
    openTables: tableOpener({ rows: scans, spoolDirectory, ledger }),
    timeoutMillis: config.queryTimeoutMillis,
    spoolDirectory,
    onCompiled: (compiled) => {
      if (logger.isLevelEnabled('debug')) logger.debug({ plan: printPlan(compiled.plan), sql: compiled.sql }, 'compiled');
    },
  });
}

function bearerAuthenticator(config: ExecutorConfig): Authenticator {
  return createBearerAuthenticator(
    createAccessTokenVerifier({
      issuer: config.tokenIssuer,
      audience: config.tokenAudience,
      jwksUrl: config.tokenJwksUrl,
      namespaceClaim: config.namespaceClaim,
      requiredScope: config.requiredScope,
    }),
  );
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
