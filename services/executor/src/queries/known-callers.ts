/** Minimum time for which the subject of a token is remembered; at most twice as long. */
const REMEMBERED_MILLIS = 30_000;
const MAX_REMEMBERED = 10_000;

/**
 * Cache of the subjects of `Authorization` headers, as last verified. Two generations, the older of which is dropped as a
 * whole: a lookup needs no timer and moves nothing, since it runs under overload.
 */
export class KnownCallers {
  readonly #now: () => number;
  #recent = new Map<string, string>();
  #older = new Map<string, string>();
  #turnedAt: number;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#turnedAt = now();
  }

  remember(authorization: string, subject: string): void {
    this.#forget();
    this.#recent.set(authorization, subject);
    if (this.#recent.size < MAX_REMEMBERED / 2) return;
    this.#turn();
    this.#turnedAt = this.#now();
  }

  /** Undefined for a header that was not checked lately. */
  subjectOf(authorization: string): string | undefined {
    this.#forget();
    return this.#recent.get(authorization) ?? this.#older.get(authorization);
  }

  #forget(): void {
    const now = this.#now();
    if (now - this.#turnedAt < REMEMBERED_MILLIS) return;
    this.#turn();
    this.#turnedAt += REMEMBERED_MILLIS;
    if (now - this.#turnedAt < REMEMBERED_MILLIS) return;
    this.#turn();
    this.#turnedAt = now;
  }

  #turn(): void {
    this.#older = this.#recent;
    this.#recent = new Map();
  }
}
