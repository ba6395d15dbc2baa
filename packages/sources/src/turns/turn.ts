import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_MILLIS = 10;

/** The time that a long loop may take before the event loop gets its turn. */
export class Turn {
  #begun = performance.now();

  /** Whether the loop has worked long enough: then it waits for `next`. */
  get isOver(): boolean {
    return performance.now() - this.#begun >= TURN_MILLIS;
  }

  /** Lets whatever else waits go first. */
  async next(): Promise<void> {
    await nextTurn();
    this.#begun = performance.now();
  }
}
