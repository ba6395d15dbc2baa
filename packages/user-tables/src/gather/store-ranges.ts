/** A rejected item of a range, by its index; null if unknown. */
export interface RangeRefusal {
  readonly row: number | null;
  readonly problem: string;
}

/** Number of rows tried at once after a refused row. It doubles with each success. */
const AFTER_REFUSAL = 32;

/** Stores `total` items in order, in ranges of adaptive size, and returns the rejected ones. `tryRange` stores a range atomically. */
export async function storeRanges(
  total: number,
  tryRange: (from: number, to: number) => Promise<RangeRefusal | null>,
): Promise<readonly { readonly row: number; readonly problem: string }[]> {
  const refused: { readonly row: number; readonly problem: string }[] = [];
  for (let [from, many] = [0, total]; from < total;) {
    const to = Math.min(from + many, total);
    const refusal = await tryRange(from, to);
    if (refusal === null) [from, many] = [to, many * 2];
    else {
      const row = from + (refusal.row ?? 0);
      // The items before it were accepted, but rolled back with it.
      if (refusal.row !== null && row > from) {
        const again = await tryRange(from, row);
        if (again !== null) throw new Error('rows that the table took once were refused');
      }
      if (refusal.row !== null || to - from === 1) {
        refused.push({ row, problem: refusal.problem });
        from = row + 1;
      }
      many = refusal.row === null ? Math.max(1, (to - from) >> 1) : AFTER_REFUSAL;
    }
  }
  return refused;
}
