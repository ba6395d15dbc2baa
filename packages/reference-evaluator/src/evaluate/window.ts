import type { Window } from '../program/term.ts';
import { compareInside, compareKeys } from '../values/order.ts';
import type { Value } from '../values/value.ts';
import { Unpromised } from '../values/value.ts';
import { AGGREGATES } from './aggregates.ts';
import type { Environment } from './environment.ts';
import { evaluate } from './environment.ts';
import { sortBlocks } from './rows.ts';
import { touch } from './touch.ts';

/** `f(…) OVER (…)` on a row of its SELECT. */
export function evaluateWindow(term: Window, environment: Environment): Value {
  const place = environment.windows.get(term.select);
  if (place === undefined) {
    touch([term.argument, term.partitionBy, term.orderBy.map(({ value }) => value)], environment);
    return null;
  }
  const values = place.known.get(term) ?? valuesOf(term, place.rows);
  place.known.set(term, values);
  return values.get(place.row) ?? null;
}

function valuesOf(term: Window, rows: readonly Environment[]): ReadonlyMap<Environment, Value> {
  const values = new Map<Environment, Value>();
  for (const partition of partitionsOf(term, rows)) {
    const blocks = term.orderBy.length === 0 ? [partition] : sortBlocks(partition, (row) => row, term.orderBy);
    const { argument } = term;
    const made = blocks.map((block) => block.map((row) => (argument === null ? null : evaluate(argument, row))));
    for (const [b, block] of blocks.entries())
      for (const [i, row] of block.entries()) values.set(row, valueAt(term, made, { block: b, place: i }));
  }
  return values;
}

/** The rows with equal keys, NULL as a value. */
function partitionsOf({ partitionBy }: Window, rows: readonly Environment[]): readonly (readonly Environment[])[] {
  const found: { readonly keys: readonly Value[]; readonly rows: Environment[] }[] = [];
  for (const row of rows) {
    const keys = partitionBy.map((key) => evaluate(key, row));
    const same = found.find((other) => other.keys.every((key, i) => compareKeys(key, keys[i] ?? null) === 0));
    if (same === undefined) found.push({ keys, rows: [row] });
    else same.rows.push(row);
  }
  return found.map((partition) => partition.rows);
}

type Blocks = readonly (readonly Value[])[];

interface Place {
  readonly block: number;
  readonly place: number;
}

/** Returns the value at a position among the blocks of ties; open if the order of ties decides. */
function valueAt(term: Window, blocks: Blocks, at: Place): Value {
  const before = blocks.slice(0, at.block).flat().length;
  switch (term.name) {
    case 'ROW_NUMBER':
      return BigInt(placeOf(blocks, at) + 1);
    case 'RANK':
      return BigInt(before + 1);
    case 'DENSE_RANK':
      return BigInt(at.block + 1);
    case 'NTILE':
      return bucketOf(blocks, placeOf(blocks, at), term.offset ?? 1);
    case 'FIRST_VALUE':
      return valueOfBlock(blocks[0] ?? []);
    case 'LAST_VALUE':
      return valueOfBlock(blocks[at.block] ?? []);
    case 'LAG':
    case 'LEAD':
      return valueOfPlace(blocks, placeOf(blocks, at) + (term.offset ?? 1) * (term.name === 'LAG' ? -1 : 1));
    case 'COUNT':
    case 'SUM':
    case 'AVG':
    case 'MIN':
    case 'MAX':
    case 'MEDIAN':
    case 'STDDEV':
    case 'MODE':
    case 'BOOL_AND':
    case 'BOOL_OR':
    case 'COUNT_DISTINCT':
      return aggregateOf(term, frameOf(term, blocks, at));
  }
}

/** Assigns a row to one of `buckets` buckets, numbered from 1; the first ones have one row more if the rows do not divide evenly. */
function bucketOf(blocks: Blocks, place: number, buckets: number): Value {
  const rows = blocks.flat().length;
  const [size, larger] = [Math.floor(rows / buckets), rows % buckets];
  const ofLarger = larger * (size + 1);
  return BigInt(place < ofLarger ? Math.floor(place / (size + 1)) + 1 : larger + Math.floor((place - ofLarger) / size) + 1);
}

/** The place among all rows. */
function placeOf(blocks: Blocks, { block, place }: Place): number {
  if ((blocks[block]?.length ?? 0) > 1) throw new Unpromised('order of ties in a window');
  return blocks.slice(0, block).flat().length + place;
}

function valueOfBlock(block: readonly Value[]): Value {
  const [first = null, ...rest] = block;
  if (rest.some((value) => compareInside(first, value) !== 0)) throw new Unpromised('order of ties in a window');
  return first;
}

function valueOfPlace(blocks: Blocks, place: number): Value {
  let start = 0;
  for (const block of blocks) {
    if (place >= start && place < start + block.length) return valueOfBlock(block);
    start += block.length;
  }
  return null;
}

/**
 * Returns the rows of a frame: all rows; with ORDER BY those up to the current row and its ties; with ROWS the given number
 * before the current row, and that row.
 */
function frameOf({ orderBy, rowsBefore }: Window, blocks: Blocks, at: Place): readonly Value[] {
  if (orderBy.length === 0) return blocks.flat();
  if (rowsBefore === null) return blocks.slice(0, at.block + 1).flat();
  if (blocks.some((block) => block.length > 1)) throw new Unpromised('order of ties in a window');
  const place = placeOf(blocks, at);
  return blocks.flat().slice(Math.max(0, place - rowsBefore), place + 1);
}

function aggregateOf({ name, argument }: Window, frame: readonly Value[]): Value {
  if (argument === null) return BigInt(frame.length);
  const present = frame.filter((value) => value !== null);
  return AGGREGATES[name]?.(present, Number.NaN) ?? null;
}
