/** Shrinks the decisions of a failing program while it still fails, in at most `attempts` attempts. */
export async function shrink(
  taken: readonly number[],
  attempts: number,
  fails: (played: readonly number[]) => Promise<readonly number[] | null>,
): Promise<readonly number[]> {
  let best = taken;
  let left = attempts;
  const accept = async (candidate: readonly number[]): Promise<boolean> => {
    left -= 1;
    const played = await fails(candidate);
    if (played === null || !isSmaller(played, best)) return false;
    best = played;
    return true;
  };
  for (let isSmallerNow = true; isSmallerNow && left > 0;) {
    isSmallerNow = false;
    for (let size = Math.max(1, Math.floor(best.length / 2)); size >= 1 && left > 0; size = Math.floor(size / 2)) {
      for (let start = 0; start < best.length && left > 0; start += size) {
        const [head, tail] = [best.slice(0, start), best.slice(start + size)];
        const zeros = Array.from({ length: Math.min(size, best.length - start) }, () => 0);
        while (left > 0 && (await accept([...best.slice(0, start), ...best.slice(start + size)]))) isSmallerNow = true;
        if (best.slice(start, start + size).some((choice) => choice !== 0) && (await accept([...head, ...zeros, ...tail])))
          isSmallerNow = true;
      }
    }
    for (let place = 0; place < best.length && left > 0; place += 1) {
      for (const smaller of [0, 1, Math.floor((best[place] ?? 0) / 2), (best[place] ?? 0) - 1])
        if (smaller >= 0 && smaller < (best[place] ?? 0) && (await accept(best.with(place, smaller)))) isSmallerNow = true;
    }
  }
  return best;
}

function isSmaller(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  const place = a.findIndex((choice, i) => choice !== b[i]);
  return place >= 0 && (a[place] ?? 0) < (b[place] ?? 0);
}
