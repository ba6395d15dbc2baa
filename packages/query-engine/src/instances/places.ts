/** A permit. */
export interface Place {
  readonly giveBack: () => void;
}

/** A counting semaphore without waiting: callers proceed without a permit if there is none. */
export class Places {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a permit, to be released once; null if none is free. */
  take(): Place | null {
    if (this.#free === 0) return null;
    this.#free--;
    return { giveBack: () => void this.#free++ };
  }
}
