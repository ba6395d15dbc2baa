import type { CredentialEventStore, CredentialUse } from '@svc/database';

/** Options of the recording of uses. */
export interface UseLogOptions {
  readonly events: CredentialEventStore;
  readonly onFailure: (error: unknown) => void;
  readonly noteAfterMs?: number;
}

const NOTE_AFTER_MS = 5000;
/** Maximum number of different pending uses; further ones are dropped. */
const MOST_WAITING = 10_000;
const LONGEST_ERROR = 500;

interface Uses extends CredentialUse {
  readonly times: number;
  readonly at: Date;
}

/** Collects uses of credentials: a query may use one thousands of times, and must not wait for a note of each. */
export class UseLog {
  readonly #options: UseLogOptions;
  #waiting = new Map<string, Uses>();
  #timer: NodeJS.Timeout | undefined;
  #noting: Promise<void> = Promise.resolve();

  constructor(options: UseLogOptions) {
    this.#options = options;
  }

  /** Collects a use. */
  add(use: CredentialUse): void {
    this.#collect({ ...use, error: use.error?.slice(0, LONGEST_ERROR) ?? null, times: 1, at: new Date() });
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#noting = this.#noting.then(() => this.#note());
    }, this.#options.noteAfterMs ?? NOTE_AFTER_MS).unref();
  }

  /** Notes all that was collected. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#noting;
    await this.#note();
  }

  #collect(uses: Uses): void {
    const key = JSON.stringify([uses.subject, uses.kind, uses.name, uses.error]);
    const known = this.#waiting.get(key);
    if (known === undefined && this.#waiting.size >= MOST_WAITING) return;
    this.#waiting.set(key, { ...uses, times: uses.times + (known?.times ?? 0) });
  }

  async #note(): Promise<void> {
    const noted = this.#waiting;
    this.#waiting = new Map();
    for (const [key, uses] of noted) {
      try {
        await this.#options.events.addUses(uses);
        noted.delete(key);
      } catch (error) {
        // Most likely nothing can be recorded now. Retried with the next use.
        for (const left of noted.values()) this.#collect(left);
        this.#options.onFailure(error);
        return;
      }
    }
  }
}
