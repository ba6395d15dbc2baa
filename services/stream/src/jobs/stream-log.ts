import type { StreamJob, StreamLogLevel, StreamLogLine, StreamLogStore } from '@svc/database';

const FLUSH_MS = 500;
/** While the database is away the oldest lines are dropped. */
const MOST_LINES = 2000;

/** Writes the logs of streams to the database, some lines at a time. */
export class StreamLogWriter {
  readonly #store: Pick<StreamLogStore, 'append'>;
  #lines: StreamLogLine[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(store: Pick<StreamLogStore, 'append'>) {
    this.#store = store;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS);
    this.#timer.unref();
  }

  write(streamId: number, job: StreamJob, level: StreamLogLevel, message: string): void {
    this.#lines.push({ streamId, job, at: new Date(), level, message });
    if (this.#lines.length > MOST_LINES) this.#lines.shift();
  }

  /** Writes the buffered lines; lines that cannot be written now are kept. */
  async flush(): Promise<void> {
    if (this.#lines.length === 0) return this.#writing;
    this.#writing = this.#writing.then(async () => {
      const lines = this.#lines;
      this.#lines = [];
      try {
        await this.#store.append(lines);
      } catch {
        // The database is unavailable, which the workers report in lines of their own.
        this.#lines = [...lines, ...this.#lines].slice(-MOST_LINES);
      }
    });
    return this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
