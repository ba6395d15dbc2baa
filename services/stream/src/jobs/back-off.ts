import { setTimeout as delay } from 'node:timers/promises';

const FIRST_MS = 200;
const LONGEST_MS = 10_000;

/** Exponential back-off with jitter, so that processes do not retry at the same time. */
export class BackOff {
  #next = FIRST_MS;

  /** Rejects when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const millis = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(this.#next * 2, LONGEST_MS);
    await delay(millis, undefined, { signal });
  }

  /** Resets the delay after a success. */
  reset(): void {
    this.#next = FIRST_MS;
  }
}
