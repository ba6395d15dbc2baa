/** A permit. Its release is idempotent. */
export interface Permit {
  readonly release: () => void;
}

/** The maximum time that a request waits, and the reason of its rejection after that. */
export interface WaitLimit {
  readonly millis: number;
  readonly reason: () => Error;
}

interface Waiter {
  readonly admit: (permit: Permit) => void;
  readonly refuse: (reason: unknown) => void;
}

interface Caller {
  held: number;
  /** Logical time at which the caller was served last; 0 if never. */
  served: number;
  /** In the order of arrival. */
  readonly waiting: Set<Waiter>;
}

/**
 * A counting semaphore, fair among callers: a released permit goes to the waiting caller with the fewest permits, among those to the one
 * served least recently.
 */
export class Permits {
  readonly #count: number;
  readonly #perCaller: number;
  #held = 0;
  /** Callers that hold permits or wait, in the order of arrival. */
  readonly #callers = new Map<string, Caller>();
  #served = 0;

  /** `perCaller` is the maximum number of permits of one caller. */
  constructor(count: number, perCaller = count) {
    this.#count = count;
    this.#perCaller = perCaller;
  }

  /** The number of permits that are taken. */
  get held(): number {
    return this.#held;
  }

  /** Returns the number of waiting requests of each caller that has any. */
  waiting(): ReadonlyMap<string, number> {
    return new Map([...this.#callers].flatMap(([caller, { waiting }]) => (waiting.size === 0 ? [] : [[caller, waiting.size]])));
  }

  /** Returns whether a caller can take a permit now. */
  hasFree(caller: string): boolean {
    return this.#held < this.#count && (this.#callers.get(caller)?.held ?? 0) < this.#perCaller;
  }

  /** Takes a permit. Returns null if there is none now. */
  tryTake(caller = ''): Permit | null {
    return this.hasFree(caller) ? this.#give(caller, this.#callerOf(caller)) : null;
  }

  /** Takes a permit, or waits for one. Throws the signal's reason if it aborts first, and that of the limit after its time. */
  async take(caller: string, signal: AbortSignal, limit?: WaitLimit): Promise<Permit> {
    signal.throwIfAborted();
    return this.tryTake(caller) ?? this.#wait(caller, signal, limit);
  }

  /** Rejects the latest of a caller's waiting requests. */
  refuseLast(caller: string, reason: Error): void {
    [...(this.#callers.get(caller)?.waiting ?? [])].at(-1)?.refuse(reason);
  }

  async #wait(caller: string, signal: AbortSignal, limit: WaitLimit | undefined): Promise<Permit> {
    const of = this.#callerOf(caller);
    const { promise, resolve: admit, reject } = Promise.withResolvers<Permit>();
    const refuse = (reason: unknown): void => {
      if (!of.waiting.delete(waiter)) return;
      this.#forget(caller, of);
      reject(reason);
    };
    const waiter: Waiter = { admit, refuse };
    of.waiting.add(waiter);
    const abort = (): void => refuse(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const timer = limit && setTimeout(() => refuse(limit.reason()), limit.millis);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  #callerOf(name: string): Caller {
    const caller = this.#callers.get(name) ?? { held: 0, served: 0, waiting: new Set() };
    this.#callers.set(name, caller);
    return caller;
  }

  #give(caller: string, of: Caller): Permit {
    this.#held += 1;
    this.#served += 1;
    of.held += 1;
    of.served = this.#served;
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#held -= 1;
        of.held -= 1;
        this.#forget(caller, of);
        this.#giveNext();
      },
    };
  }

  #giveNext(): void {
    let next: { readonly caller: string; readonly of: Caller } | null = null;
    for (const [caller, of] of this.#callers) {
      if (of.waiting.size === 0 || of.held >= this.#perCaller) continue;
      if (next === null || (of.held - next.of.held || of.served - next.of.served) < 0) next = { caller, of };
    }
    const [waiter] = next?.of.waiting ?? [];
    if (next === null || waiter === undefined) return;
    next.of.waiting.delete(waiter);
    waiter.admit(this.#give(next.caller, next.of));
  }

  #forget(caller: string, { held, waiting }: Caller): void {
    if (held === 0 && waiting.size === 0) this.#callers.delete(caller);
  }
}
