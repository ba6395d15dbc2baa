/** A time limit that counts only while `during` waits. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #millis: number;
  #leftMillis: number;

  constructor(millis: number) {
    this.#millis = millis;
    this.#leftMillis = millis;
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the time for a next step. */
  restart(): void {
    this.#leftMillis = this.#millis;
  }

  /** Work that ends itself when the signal is aborted. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const began = performance.now();
    const timer = setTimeout(() => this.#controller.abort(), Math.max(this.#leftMillis, 0));
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      this.#leftMillis -= performance.now() - began;
    }
  }
}
