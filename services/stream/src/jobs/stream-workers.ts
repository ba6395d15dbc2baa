import { randomUUID } from 'node:crypto';

import { StreamStore, StreamWorkerStore } from '@svc/database';

import { runIndexJobs } from './index-job.ts';
import { runRetentionJobs, type RetentionWorld } from './retention-job.ts';
import { within } from './within.ts';
import { StreamWorker } from './stream-worker.ts';
import type { StreamRun, WorkerWorld } from './worker-world.ts';

/** Interval at which a process polls for streams created, stopped or changed by another. */
const LOOK_MS = 1_000;
const REPORT_EVERY = 2;
/** Number of polls between checks for jobs that any one process runs. */
const CHORES_EVERY = 15;
const CHORES = [runIndexJobs, runRetentionJobs] as const;
/** Time a stop waits for batches being stored. */
const DRAIN_MS = 2_500;
/** After that they are aborted; this limits the whole stop. */
const STOP_MS = 3_500;
const REPORT_MS = 1_000;

/** The workers of this process: one per running stream. The consumer groups divide partitions among processes. */
export class StreamWorkers {
  readonly #world: WorkerWorld & RetentionWorld;
  readonly #processId = randomUUID();
  readonly #workers = new Map<number, StreamWorker>();
  readonly #ending = new Set<Promise<void>>();
  readonly #reports: StreamWorkerStore;
  readonly #streams: StreamStore;
  readonly #stop = new AbortController();
  #looking: Promise<void> = Promise.resolve();
  #looks = 0;
  /** Number of workers in the latest report. */
  #reported = 0;
  /** Jobs in progress: one may take an hour. */
  readonly #chores = new Map<(typeof CHORES)[number], Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(world: WorkerWorld & RetentionWorld) {
    this.#world = world;
    this.#streams = new StreamStore(world.database);
    this.#reports = new StreamWorkerStore(world.database);
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
    void this.look();
  }

  /** Returns the status of each worker, for metrics. */
  statuses(): readonly { readonly run: StreamRun; readonly lags: Readonly<Record<string, number>>; readonly isReading: boolean }[] {
    return [...this.#workers.values()].map((worker) => ({ run: worker.run, ...worker.status() }));
  }

  /** Reconciles now, with indexes, after a stream was changed in this process. Never rejects. */
  changed(): Promise<void> {
    this.#looks = 0;
    return this.look();
  }

  /** Reconciles the workers with the stored streams. Never rejects. */
  look(): Promise<void> {
    if (this.#stop.signal.aborted) return this.#looking;
    return (this.#looking = this.#looking.then(() => this.#lookOnce()).catch((thrown: unknown) => this.#missed(thrown)));
  }

  /** Lets batches being stored finish, within a limit, and leaves the consumer groups. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    const late = setTimeout(() => void [...this.#workers.values()].map((worker) => worker.stop('abort')), DRAIN_MS);
    // Remaining work waits for a broker or for the database, and can no longer store anything.
    await within(STOP_MS, this.#ended());
    clearTimeout(late);
    // Without a final report, the process's entries expire soon anyway.
    await within(REPORT_MS, Promise.all([this.#reports.report(this.#processId, []), this.#world.log.close()]));
  }

  async #ended(): Promise<void> {
    // A reconciliation in progress may still be creating workers.
    await this.#looking;
    await Promise.all([...[...this.#workers.values()].map((worker) => worker.stop('drain')), ...this.#ending, ...this.#chores.values()]);
  }

  async #lookOnce(): Promise<void> {
    const running = await this.#streams.listRunning();
    for (const [id, worker] of this.#workers) {
      if (running.some((stream) => stream.id === id && stream.run === worker.run.run)) continue;
      this.#workers.delete(id);
      this.#end(worker);
    }
    const started = running.filter(({ id }) => !this.#workers.has(id));
    for (const run of started) this.#workers.set(run.id, new StreamWorker(this.#world, run));
    this.#looks += 1;
    if (this.#looks % REPORT_EVERY === 1) await this.#report();
    if (started.length > 0 || this.#looks % CHORES_EVERY === 1) this.#startChores();
  }

  #end(worker: StreamWorker): void {
    const ended = worker.stop('abort').finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  async #report(): Promise<void> {
    if (this.#workers.size === 0 && this.#reported === 0) return;
    const workers = [...this.#workers.values()].map((worker) => ({ streamId: worker.run.id, run: worker.run.run, ...worker.status() }));
    await this.#reports.report(this.#processId, workers);
    this.#reported = workers.length;
  }

  #startChores(): void {
    for (const chore of CHORES) {
      if (this.#chores.has(chore)) continue;
      const done = chore(this.#world, this.#stop.signal)
        .catch((thrown: unknown) => this.#missed(thrown))
        .finally(() => this.#chores.delete(chore));
      this.#chores.set(chore, done);
    }
  }

  /** Batches have their own way to wait for the database; streams are looked for again in a moment. */
  #missed(thrown: unknown): void {
    if (!this.#stop.signal.aborted) this.#world.logger.warn({ err: thrown }, 'the streams could not be looked at now');
  }
}
