/** Choices that a seed decides. */
export interface Random {
  /** An integer below a bound. */
  readonly below: (bound: number) => number;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
}

/** The same choices for the same seed, on every machine (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
  return { below, pick: (choices) => choices[below(choices.length)] ?? choices[0] };
}
