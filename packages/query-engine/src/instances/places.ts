/** One of a number of places, taken. */
export interface Place {
  readonly giveBack: () => void;
}

/** A number of places, which whoever holds none can do without. */
export class Places {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** A place, to be given back once; null where none is free. */
  take(): Place | null {
    if (this.#free === 0) return null;
    this.#free--;
    return { giveBack: () => void this.#free++ };
  }
}
