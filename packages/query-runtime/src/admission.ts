import { ServiceError } from '@svc/errors';

export interface AdmissionOptions {
  /** Queries that run at once. */
  readonly concurrency: number;
  /** Of these, for one caller at most. */
  readonly concurrencyPerSubject: number;
  /** How long a query may wait. */
  readonly waitMillis: number;
  /** How many may wait. */
  readonly maxWaiting: number;
}

interface Waiter {
  readonly subject: string;
  readonly admit: () => void;
}

/** Decides which query runs next: first come, first served, but one caller never takes all places. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #total = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Queries that run and that wait, now. */
  load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#total, waiting: this.#waiting.size };
  }

  /**
   * Waits for a place; what it answers gives the place back and may be called twice. Throws `service_unavailable` when too
   * many wait or the wait is too long, and the signal's reason when it is aborted.
   */
  async enter(subject: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#hasRoom(subject)) return this.#start(subject);
    if (this.#waiting.size >= this.#options.maxWaiting) throw busy();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiter);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        leave();
        reject(asError(signal.reason));
      };
      const waiter: Waiter = {
        subject,
        admit: () => {
          leave();
          resolve(this.#start(subject));
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(busy());
      }, this.#options.waitMillis);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #hasRoom(subject: string): boolean {
    return this.#total < this.#options.concurrency && (this.#running.get(subject) ?? 0) < this.#options.concurrencyPerSubject;
  }

  #start(subject: string): () => void {
    this.#total += 1;
    this.#running.set(subject, (this.#running.get(subject) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#total -= 1;
      const left = (this.#running.get(subject) ?? 1) - 1;
      if (left === 0) this.#running.delete(subject);
      else this.#running.set(subject, left);
      this.#admitNext();
    };
  }

  #admitNext(): void {
    for (const waiter of this.#waiting) {
      if (this.#total >= this.#options.concurrency) return;
      if (this.#hasRoom(waiter.subject)) waiter.admit();
    }
  }
}

function busy(): ServiceError {
  return new ServiceError('service_unavailable', 'Too many queries are running. Try again later.', { headers: { 'Retry-After': '5' } });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
