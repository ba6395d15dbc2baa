import type { ApiKeyStore } from '@svc/database';
import type { Logger } from '@svc/service-kit';

const FLUSH_MILLIS = 10_000;

/** Collects the times of the keys' last use, and writes them together every ten seconds. */
export class KeyUses {
  readonly #keys: ApiKeyStore;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  #uses = new Map<string, Date>();

  constructor({
    keys,
    logger,
    flushMillis = FLUSH_MILLIS,
  }: {
    readonly keys: ApiKeyStore;
    readonly logger: Logger;
    readonly flushMillis?: number;
  }) {
    this.#keys = keys;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.#flush(), flushMillis);
    this.#timer.unref();
  }

  record(id: string, at: Date): void {
    this.#uses.set(id, at);
  }

  /** Writes the remaining entries. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = this.#uses;
    this.#uses = new Map();
    try {
      await this.#keys.recordUses(uses);
    } catch (error) {
      // Retried at the next interval, with the entries added meanwhile.
      this.#uses = new Map([...uses, ...this.#uses]);
      this.#logger.warn({ err: error }, 'uses of keys cannot be written now');
    }
  }
}
