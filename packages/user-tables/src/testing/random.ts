/** Numbers of a seed: the same in every run. */
export interface Random {
  /** An integer from 0, below a limit. */
  readonly below: (limit: number) => number;
  readonly shuffled: <Item>(items: readonly Item[]) => readonly Item[];
}

/** A xorshift generator: good enough to choose test cases with. */
export function aRandom(seed: number): Random {
  let state = seed | 1;
  const below = (limit: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  const shuffled = <Item>(items: readonly Item[]): readonly Item[] =>
    items
      .map((item) => ({ item, at: below(1_000_000) }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item);
  return { below, shuffled };
}
