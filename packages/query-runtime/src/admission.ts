import { serviceUnavailable, type ServiceError } from '@svc/errors';

/** Limits of running and waiting queries. */
export interface AdmissionOptions {
  /** Maximum of queries that run at once. */
  readonly concurrency: number;
  /** Maximum of these for one caller. */
  readonly concurrencyPerSubject: number;
  /** Maximum time a query waits. */
  readonly waitMillis: number;
  /** Maximum number of waiting queries. */
  readonly maxWaiting: number;
  /** Creates the error of a rejected query. */
  readonly refusal?: () => ServiceError;
}

interface Waiter {
  /** Increases with each arrival. */
  readonly number: number;
  readonly admit: () => void;
  readonly refuse: () => void;
}

/**
 * Fair admission: the next query, or other work, is one of the caller with the fewest running, and among those of the one
 * served least recently. One caller never takes all slots, nor the whole queue: when it is full, the caller with most
 * waiting queries loses one to a caller with fewer.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #running = new Map<string, number>();
  /** By subject, in the order of arrival; no set is empty. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #expected = new Map<string, number>();
  /** Logical time at which callers that run or wait were last served. */
  readonly #served = new Map<string, number>();
  #serves = 0;
  #runningCount = 0;
  #waitingCount = 0;
  #expectedCount = 0;
  #came = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Queries that run and that wait, now. */
  load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#runningCount, waiting: this.#waitingCount };
  }

  /**
   * Returns whether `enter` would reject immediately if all expected queries had arrived. Among those, too, the caller with
   * most makes room for one with at most half as many.
   */
  refuses(subject: string): boolean {
    const places = Math.max(0, this.#options.concurrency - this.#runningCount);
    const waiting = this.#waitingCount + Math.max(0, this.#expectedCount - places);
    if (waiting < this.#options.maxWaiting || (this.#expectedCount < places && this.#hasRoom(subject))) return false;
    const enough = 2 * (this.#coming(subject) + 1);
    for (const each of this.#waiting.keys()) if (this.#coming(each) >= enough) return false;
    for (const count of this.#expected.values()) if (count >= enough) return false;
    return true;
  }

  /** Announces a query of this subject that is about to call `enter`. The result reports that it has, or never will; idempotent. */
  expect(subject: string): () => void {
    this.#addExpected(subject, 1);
    let isOver = false;
    return () => {
      if (!isOver) this.#addExpected(subject, -1);
      isOver = true;
    };
  }

  /**
   * Waits for a slot; the result releases it, and is idempotent. Throws `service_unavailable` if too many wait or the wait
   * is too long, and the signal's reason if it aborts.
   */
  async enter(subject: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#hasRoom(subject)) return this.#start(subject);
    if (this.#waitingCount >= this.#options.maxWaiting) {
      const greedier = this.#greedier(subject);
      if (greedier === undefined) throw this.#refusal();
      [...greedier].at(-1)?.refuse();
    }
    return this.#wait(subject, signal);
  }

  #wait(subject: string, signal: AbortSignal): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const leave = (): void => {
      this.#removeWaiter(subject, waiter);
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      leave();
      reject(asError(signal.reason));
    };
    const waiter: Waiter = {
      number: (this.#came += 1),
      admit: () => {
        leave();
        resolve(this.#start(subject));
      },
      refuse: () => {
        leave();
        reject(this.#refusal());
      },
    };
    const timer = setTimeout(waiter.refuse, this.#options.waitMillis);
    signal.addEventListener('abort', abort, { once: true });
    const those = this.#waiting.get(subject) ?? new Set();
    this.#waiting.set(subject, those.add(waiter));
    this.#waitingCount += 1;
    return promise;
  }

  #refusal(): ServiceError {
    return (this.#options.refusal ?? queryRefused)();
  }

  #addExpected(subject: string, added: 1 | -1): void {
    this.#expectedCount += added;
    const count = (this.#expected.get(subject) ?? 0) + added;
    if (count === 0) this.#expected.delete(subject);
    else this.#expected.set(subject, count);
  }

  /** Returns the number of a subject's waiting and expected queries. */
  #coming(subject: string): number {
    return (this.#waiting.get(subject)?.size ?? 0) + (this.#expected.get(subject) ?? 0);
  }

  #removeWaiter(subject: string, waiter: Waiter): void {
    const those = this.#waiting.get(subject);
    if (those?.delete(waiter) !== true) return;
    if (those.size === 0) {
      this.#waiting.delete(subject);
      if (this.#runningOf(subject) === 0) this.#served.delete(subject);
    }
    this.#waitingCount -= 1;
  }

  #hasRoom(subject: string): boolean {
    return this.#runningCount < this.#options.concurrency && this.#runningOf(subject) < this.#options.concurrencyPerSubject;
  }

  #runningOf(subject: string): number {
    return this.#running.get(subject) ?? 0;
  }

  #start(subject: string): () => void {
    this.#runningCount += 1;
    this.#running.set(subject, this.#runningOf(subject) + 1);
    this.#served.set(subject, (this.#serves += 1));
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#runningCount -= 1;
      const left = this.#runningOf(subject) - 1;
      if (left === 0) this.#running.delete(subject);
      else this.#running.set(subject, left);
      if (left === 0 && !this.#waiting.has(subject)) this.#served.delete(subject);
      for (let next = this.#next(); next !== undefined; next = this.#next()) next.admit();
    };
  }

  /** Returns the next caller to run, if one can. */
  #next(): Waiter | undefined {
    let found: { readonly running: number; readonly served: number; readonly waiter: Waiter } | undefined;
    for (const [subject, [waiter]] of this.#waiting) {
      if (waiter === undefined || !this.#hasRoom(subject)) continue;
      const running = this.#runningOf(subject);
      const served = this.#served.get(subject) ?? 0;
      const order = found === undefined ? -1 : running - found.running || served - found.served || waiter.number - found.waiter.number;
      if (order < 0) found = { running, served, waiter };
    }
    return found?.waiter;
  }

  /**
   * Returns the waiting queries of the caller with most in a full queue, if the subject would have at most half as many with
   * one more: the last of them is evicted. Callers with similar numbers do not evict each other: rejecting an admitted query
   * costs more than rejecting a new one.
   */
  #greedier(subject: string): ReadonlySet<Waiter> | undefined {
    let most: ReadonlySet<Waiter> | undefined;
    for (const those of this.#waiting.values()) if (those.size > (most?.size ?? 0)) most = those;
    const own = this.#waiting.get(subject)?.size ?? 0;
    return most !== undefined && 2 * (own + 1) <= most.size ? most : undefined;
  }
}

/** Creates the error of a rejected query. */
export function queryRefused(): ServiceError {
  return serviceUnavailable('Too many queries are running. Try again later.');
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
