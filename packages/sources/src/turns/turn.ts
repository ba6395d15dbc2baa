import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_MILLIS = 10;

/** The time that a long loop may take before the event loop gets its turn. */
export class Turn {
  #begun = performance.now();

  /** Returns whether the loop should yield: then it awaits `next`. */
  get isOver(): boolean {
    return performance.now() - this.#begun >= TURN_MILLIS;
  }

  /** Yields to the event loop. */
  async next(): Promise<void> {
    await nextTurn();
    this.#begun = performance.now();
  }
}
