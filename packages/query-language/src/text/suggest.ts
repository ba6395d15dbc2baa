/** No suggestions are made for longer names. */
const MOST_CHARACTERS = 64;

/** Names this short are within one edit of any other. */
const FEW_LETTERS = 2;

/**
 * Returns the nearest name: equal except for case, else within one edit, from six letters on within two; null if none is.
 * Names of one or two letters are never near.
 */
export function suggest(name: string, names: readonly string[]): string | null {
  if (name.length > MOST_CHARACTERS) return null;
  const folded = name.toLowerCase();
  const limit = [...name].length >= 6 ? 2 : 1;
  let best: { readonly name: string; readonly distance: number; readonly shared: number } | null = null;
  for (const other of names) {
    if (Math.abs(other.length - name.length) > limit || other === name) continue;
    if (name.length <= FEW_LETTERS && other.length <= FEW_LETTERS && other.toLowerCase() !== folded) continue;
    const distance = editDistance(folded, other.toLowerCase());
    if (distance > limit) continue;
    const shared = sharedStart(folded, other.toLowerCase());
    if (best === null || distance < best.distance || (distance === best.distance && shared > best.shared))
      best = { name: other, distance, shared };
  }
  return best?.name ?? null;
}

/** Returns the length of the common prefix: typing errors are rarely among the first letters. */
function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b` (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      row.push(value);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
