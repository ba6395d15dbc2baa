import type { Order, Select, Term } from '../program/term.ts';
import { compareInside, inOrder } from '../values/order.ts';
import type { CollectionValue, Value } from '../values/value.ts';
import { RunTimeError } from '../values/value.ts';
import type { Environment, RowBlocks } from './environment.ts';
import { evaluate } from './environment.ts';

/** Returns the rows for which a condition is TRUE. */
export function keep(rows: RowBlocks, condition: Term | null): RowBlocks {
  if (condition === null) return rows;
  return rows.map((block) => block.filter((row) => evaluate(condition, row) === true));
}

/** Sorts rows into blocks of ties, which have no guaranteed order. */
export function sortBlocks<Row>(rows: readonly Row[], environmentOf: (row: Row) => Environment, orderBy: readonly Order[]): Row[][] {
  const keyed = rows.map((row) => ({
    row,
    keys: orderBy.map(({ value }) => evaluate(value, environmentOf(row))),
  }));
  const compare = (a: readonly Value[], b: readonly Value[]): number => {
    for (const [i, order] of orderBy.entries()) {
      const result = compareKey(a[i] ?? null, b[i] ?? null, order);
      if (result !== 0) return result;
    }
    return 0;
  };
  const sorted = keyed.toSorted((a, b) => compare(a.keys, b.keys));
  const blocks: Row[][] = [];
  for (const [i, { row, keys }] of sorted.entries()) {
    if (i > 0 && compare(sorted[i - 1]?.keys ?? [], keys) === 0) blocks.at(-1)?.push(row);
    else blocks.push([row]);
  }
  return blocks;
}

/** Compares two values by a key of ORDER BY. */
export function compareKey(a: Value, b: Value, { isDescending, nulls }: Pick<Order, 'isDescending' | 'nulls'>): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    const areFirst = nulls === null ? !isDescending : nulls === 'first';
    return (a === null) === areFirst ? -1 : 1;
  }
  return compareInside(a, b) * (isDescending ? -1 : 1);
}

/** Applies OFFSET and LIMIT: if they cut a block of ties, the result is open. */
export function cut(select: Pick<Select, 'limit' | 'offset'>, environment: Environment, value: CollectionValue): Value {
  const [limit, offset] = [select.limit, select.offset].map((bound) => (bound === null ? null : boundOf(bound, environment)));
  const start = Number(offset ?? 0n);
  const end = limit === null || limit === undefined ? Number.POSITIVE_INFINITY : start + Number(limit);
  const blocks: (readonly Value[])[] = [];
  let place = 0;
  for (const block of value.blocks) {
    const [from, to] = [Math.max(start - place, 0), Math.min(end - place, block.length)];
    place += block.length;
    if (from >= to) continue;
    if (to - from < block.length) inOrder({ kind: 'collection', blocks: [block] });
    blocks.push(block.slice(from, to));
  }
  return { ...value, blocks };
}

function boundOf(term: Term, environment: Environment): Value {
  const bound = evaluate(term, environment);
  if (typeof bound !== 'bigint' || bound >= 0n) return bound;
  const { sample } = environment.progress;
  if (sample === null) throw new RunTimeError('negative LIMIT or OFFSET');
  const other = sample('short');
  return typeof other === 'bigint' && other < 0n ? -other : other;
}
