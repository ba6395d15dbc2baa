import type { CatalogReader } from '@svc/catalog';
import type { Database, StoredStream } from '@svc/database';
import type { NetworkGuard } from '@svc/network-guard';
import type { EnginePool } from '@svc/query-engine';
import type { Logger } from '@svc/service-kit';
import type { Vault } from '@svc/vault';

import type { Inject } from './injection.ts';
import type { StreamLogWriter } from './stream-log.ts';
import type { Turns } from './turns.ts';

/** What the workers of a process share. */
export interface WorkerWorld {
  readonly database: Database;
  /** For batches: a pool of its own. */
  readonly rows: Database;
  readonly catalog: CatalogReader;
  readonly engine: EnginePool;
  readonly guard: NetworkGuard;
  readonly vault: Pick<Vault, 'open'>;
  readonly log: StreamLogWriter;
  /** How many batches are worked on at once. */
  readonly turns: Turns;
  readonly inject: Inject;
  /** Of the latest messages; above it the stream fails. */
  readonly maxBadRatio: number;
  readonly transformTimeoutMillis: number;
  /** How long another process may be silent before its partitions are taken over. */
  readonly sessionMillis: number;
  readonly logger: Logger;
}

/** A run of a stream. */
export type StreamRun = Pick<StoredStream, 'id' | 'run'>;
