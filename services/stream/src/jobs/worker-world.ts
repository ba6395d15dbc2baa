import type { Permits } from '@svc/concurrency';
import type { CatalogReader } from '@svc/catalog';
import type { Database, StoredStream } from '@svc/database';
import type { NetworkGuard } from '@svc/network-guard';
import type { EnginePool } from '@svc/query-engine';
import type { Logger } from '@svc/service-kit';
import type { Vault } from '@svc/vault';

import type { Inject } from './injection.ts';
import type { StreamLogWriter } from './stream-log.ts';

/** State shared by the workers of a process. */
export interface WorkerWorld {
  readonly database: Database;
  /** Pool of connections for batches. */
  readonly rows: Database;
  readonly catalog: CatalogReader;
  readonly engine: EnginePool;
  readonly guard: NetworkGuard;
  readonly vault: Pick<Vault, 'open'>;
  readonly log: StreamLogWriter;
  /** Permits for concurrent batches. */
  readonly batchPermits: Permits;
  readonly inject: Inject;
  /** Maximum ratio of bad messages among the latest; above it the stream fails. */
  readonly maxBadRatio: number;
  readonly transformTimeoutMillis: number;
  /** Session timeout: after this much silence of a process, others take over its partitions. */
  readonly sessionMillis: number;
  readonly logger: Logger;
}

/** A run of a stream. */
export type StreamRun = Pick<StoredStream, 'id' | 'run'>;
