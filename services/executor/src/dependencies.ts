import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import { createActingAuthenticator } from '@svc/auth';
import { createCatalogReader } from '@svc/catalog';
import { CatalogStore, CredentialEventStore, CredentialStore, openDatabase } from '@svc/database';
import type { Database } from '@svc/database';
import { createNetworkGuard } from '@svc/network-guard';
import { createEnginePool } from '@svc/query-engine';
import type { EnginePool } from '@svc/query-engine';
import { printPlan } from '@svc/query-language';
import { QueryRuntime, RunningQueries, type Admission } from '@svc/query-runtime';
import type { HttpMetrics, Logger, ReadinessCheck, Resource } from '@svc/service-kit';
import { addGauge } from '@svc/service-kit';
import { openServiceBase, openSpoolFolder } from '@svc/service-setup';
import { Sources, SpoolLedger } from '@svc/sources';
import { createCredentialReader, createVault, type CredentialReader } from '@svc/vault';

import type { ExecutorDependencies } from './app.ts';
import { openStoredTexts } from './catalog/stored-texts.ts';
import type { ExecutorConfig } from './config.ts';
import { openAdmission } from './queries/open-admission.ts';
import type { OverloadGuard } from './queries/overload-guard.ts';
import { createOverloadGuard, createRefusalCounter } from './queries/overload-guard.ts';
import { openQueryCancellation } from './queries/query-cancellation.ts';
import { tableOpener } from './tables/open-tables.ts';
import { TableCatalog } from './tables/table-catalog.ts';
import { createUploadAdmission } from './tables/upload-admission.ts';

/** Memory of the threads that decode files, besides that of queries and in relation to it. */
const DECODE_SHARE = 0.25;
const QUEUE_WAIT_MILLIS = 10_000;
const MAX_ROW_CONNECTIONS = 10;
/** The other connections are for the upkeep of tables. */
const UPLOADS = 8;
const MAX_SCAN_CONNECTIONS = 10;

/** The resources of the executor: the dependencies of its application, its readiness checks, and what to close at the end. */
export interface OpenedDependencies {
  readonly app: ExecutorDependencies;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly resources: readonly Resource[];
  /** Runs before the application. */
  readonly guard: OverloadGuard['guard'];
  readonly engine: EnginePool;
}

/** An engine that does not stop is given up after 5 s. */
const ENGINES_CLOSE_MS = 7000;

/** Opens database, engines and sources as configured. */
export async function openDependencies(config: ExecutorConfig, logger: Logger): Promise<OpenedDependencies> {
  const spool = await openSpoolFolder(await realpath(config.spoolDirectory ?? tmpdir()));
  const fileRoots = await Promise.all(config.fileRoots.map((root) => realpath(root)));
  const folders = { spoolDirectory: spool.path, fileRoots };
  const engine = openEngines(config, folders, logger);
  const base = openServiceBase('executor', config);
  const { database, metrics } = base;
  const { rows, scans } = openRowDatabases(config);
  const countRefusal = createRefusalCounter(metrics, logger);
  const admission = openAdmission({ ...config, waitMillis: QUEUE_WAIT_MILLIS, countRefusal });
  const uploads = createUploadAdmission({ places: UPLOADS, waitMillis: QUEUE_WAIT_MILLIS });
  const ledger = new SpoolLedger({ megabytes: config.spoolMegabytes / 2 });
  const credentials = openCredentials(config, { database, logger });
  const networkGuard = createNetworkGuard({ allow: config.networkAllow });
  const endpoints = { s3: config.s3Endpoint, fileHost: config.fileHostUrl };
  const sources = new Sources({
    ...{ ...folders, ledger, credentials, networkGuard, endpoints },
    statementTimeoutMs: config.queryTimeoutMillis,
    decodeMegabytes: config.queryMemoryMegabytes * DECODE_SHARE,
  });
  const runtime = openRuntime(config, { spoolDirectory: spool.path, database, scans, engine, admission, ledger, sources, logger });
  const queries = new RunningQueries();
  const cancellation = openQueryCancellation({ running: queries, database, databaseUrl: config.databaseUrl, logger });
  addGauges(metrics, { admission, engine, ledger });
  const overloadGuard = createOverloadGuard({
    admission,
    authenticate: createActingAuthenticator(base.authenticate, config.actingClientId),
    countRefusal,
  });
  return {
    engine,
    guard: overloadGuard.guard,
    app: {
      runtime,
      queries,
      texts: openStoredTexts({ database, runtime }),
      tables: new TableCatalog({ database, rows, uploads, reading: { engine, admission, ledger, spoolDirectory: spool.path } }),
      cancelQuery: cancellation.cancel,
      logger,
      authenticate: overloadGuard.authenticate,
      arrive: overloadGuard.arrive,
      bodyLimitBytes: config.bodyLimitBytes,
      corsOrigins: config.corsOrigins,
      metrics,
    },
    checks: base.checks,
    resources: [
      { name: 'engines', close: () => engine.close(), timeoutMs: ENGINES_CLOSE_MS },
      { name: 'compiler', close: () => runtime.close() },
      { name: 'sources', close: () => sources.close() },
      { name: 'cancellation', close: () => cancellation.close() },
      { name: 'rows', close: () => rows.close() },
      { name: 'scans', close: () => scans.close() },
      { name: 'credentials', close: () => credentials.close() },
      ...base.resources,
      { name: 'spool', close: () => spool.close() },
    ],
  };
}

interface Folders {
  readonly spoolDirectory: string;
  /** Folders that queries may read. */
  readonly fileRoots: readonly string[];
}

function openEngines(config: ExecutorConfig, { spoolDirectory, fileRoots }: Folders, logger: Logger): EnginePool {
  return createEnginePool({
    memoryMegabytes: config.queryMemoryMegabytes,
    threads: config.queryThreads,
    concurrency: config.queryConcurrency,
    spoolDirectory,
    // Engines take two shares: for spilling and for results written as files. The rest is for copies and rows of tables.
    spoolMegabytes: config.spoolMegabytes / 4,
    readRoots: fileRoots,
    onGivenUp: () => logger.warn('an engine did not stop when it was interrupted, and another has its place'),
  });
}

interface RowDatabases {
  readonly rows: Database;
  readonly scans: Database;
}

/** Opens a separate pool for rows, so that long uploads and scans do not block name lookups, and vice versa. */
function openRowDatabases({
  databaseUrl: url,
  queryConcurrency,
  statementTimeoutMillis: statementTimeoutMs,
}: ExecutorConfig): RowDatabases {
  return {
    rows: openDatabase({
      url,
      applicationName: 'svc-executor-rows',
      maxConnections: MAX_ROW_CONNECTIONS,
      connectTimeoutMs: QUEUE_WAIT_MILLIS,
      statementTimeoutMs,
    }),
    scans: openDatabase({
      url,
      applicationName: 'svc-executor-scans',
      maxConnections: Math.min(queryConcurrency, MAX_SCAN_CONNECTIONS),
      connectTimeoutMs: QUEUE_WAIT_MILLIS,
      statementTimeoutMs,
    }),
  };
}

function openCredentials(
  config: ExecutorConfig,
  { database, logger }: { readonly database: Database; readonly logger: Logger },
): CredentialReader {
  return createCredentialReader({
    store: new CredentialStore(database),
    events: new CredentialEventStore(database),
    vault: createVault(config),
    onFailure: (err) => logger.warn({ err }, 'uses of credentials are not in the audit trail yet'),
  });
}

interface RuntimeParts extends Pick<Folders, 'spoolDirectory'> {
  readonly database: Database;
  readonly scans: Database;
  readonly sources: Sources;
  readonly engine: EnginePool;
  readonly admission: Admission;
  readonly ledger: SpoolLedger;
  readonly logger: Logger;
}

function openRuntime(config: ExecutorConfig, parts: RuntimeParts): QueryRuntime {
  const { engine, admission, spoolDirectory, ledger, database, scans, sources, logger } = parts;
  return new QueryRuntime({
    engine,
    admission,
    sources,
    catalog: createCatalogReader({ catalog: new CatalogStore(database) }),
    openTables: tableOpener({ rows: scans, spoolDirectory, ledger }),
    timeoutMillis: config.queryTimeoutMillis,
    spoolDirectory,
    onCompiled: (compiled) => {
      if (logger.isLevelEnabled('debug')) logger.debug({ plan: printPlan(compiled.plan), sql: compiled.sql }, 'compiled');
    },
  });
}

interface Gauged {
  readonly admission: Admission;
  readonly engine: EnginePool;
  readonly ledger: SpoolLedger;
}

function addGauges(metrics: HttpMetrics, { admission, engine, ledger }: Gauged): void {
  addGauge(metrics, { name: 'svc_queries_running', help: 'Queries that run now.', value: () => admission.load().running });
  addGauge(metrics, { name: 'svc_queries_waiting', help: 'Queries that wait for a place.', value: () => admission.load().waiting });
  addGauge(metrics, {
    name: 'svc_engines_given_up',
    help: 'Engines that did not stop when they were interrupted and still work; others have their places.',
    value: () => engine.load().givenUp,
  });
  addGauge(metrics, {
    name: 'svc_spool_bytes',
    help: 'Bytes of copies and of rows of tables in the spool.',
    value: () => ledger.taken,
  });
  addGauge(metrics, { name: 'svc_spool_held_bytes', help: 'Bytes of those that queries hold now.', value: () => ledger.held });
  addGauge(metrics, {
    name: 'svc_spool_limit_bytes',
    help: 'Bytes that copies and rows of tables may take.',
    value: () => ledger.maxBytes,
  });
}
