import { Permits } from '@svc/concurrency';
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

/**
 * Fair admission: the next query, or other work, is one of the caller with the fewest running, and among those of the one
 * served least recently. One caller never takes all slots, nor the whole queue: when it is full, the caller with most
 * waiting queries loses one to a caller with fewer.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #slots: Permits;
  readonly #expected = new Map<string, number>();
  #expectedCount = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#slots = new Permits(options.concurrency, options.concurrencyPerSubject);
  }

  /** Queries that run and that wait, now. */
  load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#slots.held, waiting: sum(this.#slots.waiting()) };
  }

  /**
   * Returns whether `enter` would reject immediately if all expected queries had arrived. Among those, too, the caller with
   * most makes room for one with at most half as many.
   */
  refuses(subject: string): boolean {
    const queue = this.#slots.waiting();
    const free = Math.max(0, this.#options.concurrency - this.#slots.held);
    const waiting = sum(queue) + Math.max(0, this.#expectedCount - free);
    if (waiting < this.#options.maxWaiting || (this.#expectedCount < free && this.#slots.hasFree(subject))) return false;
    const coming = (each: string): number => (queue.get(each) ?? 0) + (this.#expected.get(each) ?? 0);
    const enough = 2 * (coming(subject) + 1);
    return ![...queue.keys(), ...this.#expected.keys()].some((each) => coming(each) >= enough);
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
    if (!this.#slots.hasFree(subject)) this.#makeRoom(subject);
    const limit = { millis: this.#options.waitMillis, reason: () => this.#refusal() };
    const { release } = await this.#slots.take(subject, signal, limit);
    return release;
  }

  /**
   * Evicts the last waiting query of the caller with most from a full queue. Throws if the subject would have more than half
   * as many with one more: callers with similar numbers do not evict each other, since rejecting an admitted query costs more
   * than rejecting a new one.
   */
  #makeRoom(subject: string): void {
    const queue = this.#slots.waiting();
    if (sum(queue) < this.#options.maxWaiting) return;
    const most = Math.max(0, ...queue.values());
    const greediest = [...queue.keys()].find((each) => queue.get(each) === most);
    if (greediest === undefined || 2 * ((queue.get(subject) ?? 0) + 1) > most) throw this.#refusal();
    this.#slots.refuseLast(greediest, this.#refusal());
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
}

/** Creates the error of a rejected query. */
export function queryRefused(): ServiceError {
  return serviceUnavailable('Too many queries are running. Try again later.');
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, count) => all + count, 0);
}
