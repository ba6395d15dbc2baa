/** Makes the names of a header unique: `a`, `a_2` …; empty ones become `_1`, `_2` … by position. */
export function uniqueNames(cells: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  /** The last number tried, by name, so that repeated names do not take quadratic time. */
  const tried = new Map<string, number>();
  return cells.map((cell, i) => {
    const base = cell === '' ? `_${i + 1}` : cell;
    let name = base;
    let n = tried.get(base) ?? 1;
    while (taken.has(name)) {
      n += 1;
      name = `${base}_${n}`;
    }
    tried.set(base, n);
    taken.add(name);
    return name;
  });
}
