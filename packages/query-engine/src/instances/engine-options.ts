/**
 * What the engines of one process may use. Each of the `concurrency` instances gets an equal share of memory and spool,
 * since the engine's limits belong to an instance.
 */
export interface EngineOptions {
  readonly memoryMegabytes: number;
  /** Threads of each instance. */
  readonly threads: number;
  /** How many leases at once. `UV_THREADPOOL_SIZE` must be at least this + 16: a running statement holds a pool thread. */
  readonly concurrency: number;
  /** The folder, existing, in which statements may spill and results may be written. */
  readonly spoolDirectory: string;
  /** For what statements spill, and as much again for files of results. */
  readonly spoolMegabytes: number;
  /** Folders that statements may read, besides the spool. */
  readonly readRoots: readonly string[];
  /** How many may wait for a lease. Default 1000. */
  readonly maxWaiting?: number;
  /** How long an engine may go on after it was interrupted, before another has its place. Default 5 s. */
  readonly giveUpMillis?: number;
  /** Told of each engine that is given up. */
  readonly onGivenUp?: () => void;
}
