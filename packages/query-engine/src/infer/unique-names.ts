/** Names of columns as a header has them, made unique: `a`, `a_2` …; what has none is `_1`, `_2` … by its place. */
export function uniqueNames(cells: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  /** By name, the number that was tried last: headers of one word do not take the square of their number. */
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
