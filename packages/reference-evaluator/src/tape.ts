/** The source of a generator's decisions. They are recorded, so they can be replayed, changed and shrunk. */
export interface Tape {
  /** Returns an integer from 0 to `n`, exclusive. */
  readonly choose: (n: number) => number;
  /** Returns TRUE in the given percentage of cases; 0 on the tape is FALSE. */
  readonly chance: (percent: number) => boolean;
  readonly taken: readonly number[];
}

/** Creates a tape that replays decisions and continues with others: random ones, or zeros for shrinking. */
export function createTape(played: readonly number[], further: () => number): Tape {
  const taken: number[] = [];
  const choose = (n: number): number => {
    const next = taken.length < played.length ? (played[taken.length] ?? 0) : Math.floor(further() * n);
    const chosen = Math.min(next, n - 1);
    taken.push(chosen);
    return chosen;
  };
  return { choose, taken, chance: (percent) => choose(100) >= 100 - percent };
}

/** Returns a generator of numbers in [0, 1), determined by the seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
