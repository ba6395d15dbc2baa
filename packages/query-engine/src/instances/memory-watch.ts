import { EngineFailure } from '../statements/engine-failure.ts';

const LOOK_MILLIS = 50;
/** Maximum of the memory of a statement, as a multiple of its share. */
const MOST_SHARES = 1.3;
/** Tolerance for memory that the process itself allocates meanwhile. */
const SLACK_BYTES = 128 * 2 ** 20;

/** Watches the memory of a statement that the engine does not count. */
export interface MemoryWatch {
  /** Aborted with an EngineFailure `out-of-memory` when the process has grown by more than its statements may use. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/** Memory limit of statements, and how it is measured. */
export interface WatchedMemory {
  /** Share of each lease. */
  readonly shareMegabytes: number;
  /** Returns the current number of leases. */
  readonly leased: () => number;
  /** Returns the memory of the process in bytes. Defaults to its resident set size. */
  readonly held?: () => number;
}

/** Starts to watch the growth of the process. */
export function watchMemory({ shareMegabytes, leased, held = () => process.memoryUsage.rss() }: WatchedMemory): MemoryWatch {
  const controller = new AbortController();
  const before = held();
  let mostLeased = 1;
  const timer = setInterval(() => {
    mostLeased = Math.max(mostLeased, leased());
    if (held() - before <= mostLeased * MOST_SHARES * shareMegabytes * 1e6 + SLACK_BYTES) return;
    clearInterval(timer);
    const share = `${((shareMegabytes * 1e6) / 2 ** 20).toFixed(1)} MiB`;
    controller.abort(new EngineFailure('out-of-memory', `the query needs more memory than the ${share} that it may use`));
  }, LOOK_MILLIS).unref();
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
