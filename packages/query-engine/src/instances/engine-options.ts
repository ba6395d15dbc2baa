/**
 * Resources of the engines of one process. Each of the `concurrency` instances gets an equal share of memory and spool,
 * since the engine's limits are per instance.
 */
export interface EngineOptions {
  readonly memoryMegabytes: number;
  /** Threads of each instance. */
  readonly threads: number;
  /** Maximum number of leases. `UV_THREADPOOL_SIZE` must be at least this + 16: a running statement holds a pool thread. */
  readonly concurrency: number;
  /** The folder, existing, in which statements may spill and results may be written. */
  readonly spoolDirectory: string;
  /** For spilled data, and the same again for result files. */
  readonly spoolMegabytes: number;
  /** Folders that statements may read in addition to the spool. */
  readonly readRoots: readonly string[];
  /** Time for an interrupted engine to stop before it is replaced. Default 5 s. */
  readonly giveUpMillis?: number;
  /** Called for each engine that is abandoned. */
  readonly onGivenUp?: () => void;
}
