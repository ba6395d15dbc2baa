import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_MILLIS = 10;

/** Limits how long a loop runs before it yields to the event loop. */
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
