import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import { Permits } from '@svc/concurrency';
import { createCatalogReader } from '@svc/catalog';
import { CatalogStore, openDatabase, StreamLogStore } from '@svc/database';
import { createNetworkGuard } from '@svc/network-guard';
import { createEnginePool } from '@svc/query-engine';
import type { HttpMetrics, Logger, ReadinessCheck, Resource } from '@svc/service-kit';
import { openServiceBase, openSpoolFolder } from '@svc/service-setup';
import { createVault } from '@svc/vault';
import { Counter, Gauge } from 'prom-client';

import type { StreamDependencies } from './app.ts';
import type { StreamConfig } from './config.ts';
import type { Inject } from './jobs/injection.ts';
import { StreamLogWriter } from './jobs/stream-log.ts';
import { StreamWorkers } from './jobs/stream-workers.ts';
import { Streams } from './streams/streams.ts';

/** The resources of the service: the dependencies of its application, its readiness checks, and what to close at the end. */
export interface OpenedDependencies {
  readonly app: StreamDependencies;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly resources: readonly Resource[];
}

/** An engine's spilled rows: a batch is small, so that only a runaway transform has any. */
const SPOOL_MEGABYTES = 1024;

/** Workers have a limit of 4.5 s; longer, for busy machines. */
const WORKERS_CLOSE_MS = 7000;
/** An engine that does not stop is given up after 5 s. */
const ENGINES_CLOSE_MS = 7000;

/** Opens database, engines and workers as configured. */
export async function openDependencies(config: StreamConfig, logger: Logger, inject: Inject): Promise<OpenedDependencies> {
  const { database, authenticate, metrics, checks, resources } = openServiceBase('stream', config);
  const spool = await openSpoolFolder(await realpath(config.spoolDirectory ?? tmpdir()));
  // One for each batch, one for replays, one for samples.
  const concurrency = config.batchConcurrency + 2;
  const engine = createEnginePool({
    memoryMegabytes: config.transformMemoryMegabytes * concurrency,
    threads: 1,
    concurrency,
    spoolDirectory: spool.path,
    spoolMegabytes: SPOOL_MEGABYTES,
    readRoots: [],
  });
  const rows = openDatabase({
    url: config.databaseUrl,
    applicationName: 'svc-stream-rows',
    maxConnections: config.batchConcurrency + 4,
    statementTimeoutMs: config.statementTimeoutMillis,
  });
  const guard = createNetworkGuard({ allow: config.networkAllow });
  const vault = createVault(config);
  const catalog = createCatalogReader({ catalog: new CatalogStore(database) });
  const log = new StreamLogWriter(new StreamLogStore(database));
  const { maxBadRatio, transformTimeoutMillis, sessionMillis } = config;
  const shared = { database, rows, catalog, engine, guard, vault, log, maxBadRatio, transformTimeoutMillis, sessionMillis, logger, inject };
  const onRowsDeleted = countDeletedRows(metrics);
  const workers = new StreamWorkers({ ...shared, batchPermits: new Permits(config.batchConcurrency), onRowsDeleted });
  addLagGauge(metrics, workers);
  return {
    app: {
      streams: new Streams({ ...shared, onChange: () => workers.changed() }),
      world: shared,
      ...{ authenticate, logger, metrics, bodyLimitBytes: config.bodyLimitBytes, corsOrigins: config.corsOrigins },
    },
    checks,
    resources: [
      { name: 'workers', close: () => workers.close(), timeoutMs: WORKERS_CLOSE_MS },
      { name: 'engines', close: () => engine.close(), timeoutMs: ENGINES_CLOSE_MS },
      { name: 'rows', close: () => rows.close() },
      { name: 'spool', close: () => spool.close() },
      ...resources,
    ],
  };
}

/** Labelled by stream number, like the lag. */
function countDeletedRows({ registry }: HttpMetrics): (streamId: number, count: number) => void {
  const deleted = new Counter({
    name: 'svc_stream_old_rows_deleted_total',
    help: 'Rows that this process has deleted because they were kept for long enough.',
    labelNames: ['stream'],
    registers: [registry],
  });
  return (stream, count) => deleted.inc({ stream }, count);
}

/** Labelled by stream number: names of streams belong to their owners. */
function addLagGauge({ registry }: HttpMetrics, workers: StreamWorkers): void {
  const lag: Gauge = new Gauge({
    name: 'svc_stream_lag',
    help: 'Messages behind the end of a partition that this process reads.',
    labelNames: ['stream', 'partition'],
    registers: [registry],
    collect: () => {
      lag.reset();
      for (const { run, lags } of workers.statuses())
        for (const [partition, messages] of Object.entries(lags)) lag.set({ stream: run.id, partition }, messages);
    },
  });
  const reading: Gauge = new Gauge({
    name: 'svc_streams_reading',
    help: 'Streams that this process reads now.',
    registers: [registry],
    collect: () => reading.set(workers.statuses().filter(({ isReading }) => isReading).length),
  });
}
