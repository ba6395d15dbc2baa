interface Target {
  readonly kind: 'at-least' | 'at-most';
  readonly ratio: number;
}

/** A row of a benchmark's result. */
export interface Row {
  readonly name: string;
  readonly ours: number;
  readonly floor: number;
  readonly unit: string;
  /** Lower bound (requests) or upper bound (times) of the ratio; without one the row is for comparison. */
  readonly target?: Target;
  readonly note?: string;
}

/** Prints rows side by side, with the ratio and whether the target was met. */
export function printTable(rows: readonly Row[]): void {
  const lines = rows.map(({ name, ours, floor, unit, target, note }) => {
    const ratio = ours / floor;
    const figures = [name, `${format(ours)} ${unit}`, `${format(floor)} ${unit}`, ratio.toFixed(2)];
    if (target === undefined) return [...figures, '', '', note ?? ''];
    const isMet = target.kind === 'at-least' ? ratio >= target.ratio : ratio <= target.ratio;
    return [...figures, `${target.kind === 'at-least' ? '≥' : '≤'} ${target.ratio}`, isMet ? 'met' : 'MISSED', note ?? ''];
  });
  const header = ['what', 'ours', 'floor', 'ratio', 'target', '', ''];
  const widths = header.map((title, i) => Math.max(title.length, ...lines.map((line) => (line[i] ?? '').length)));
  for (const line of [header, ...lines])
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
