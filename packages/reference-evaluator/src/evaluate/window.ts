import type { FrameEdge, Order, Window, WindowFrame } from '../program/term.ts';
import { convert } from '../values/convert.ts';
import { calculate } from '../values/numbers.ts';
import { compareInside, compareKeys } from '../values/order.ts';
import { asTimestamp, calculateTemporal } from '../values/temporal.ts';
import type { Value } from '../values/value.ts';
import { Unpromised } from '../values/value.ts';
import { AGGREGATES } from './aggregates.ts';
import type { Environment } from './environment.ts';
import { evaluate } from './environment.ts';
import { compareKey, sortBlocks } from './rows.ts';
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
    const sorted = term.orderBy.length === 0 ? [partition] : sortBlocks(partition, (row) => row, term.orderBy);
    const { argument } = term;
    const blocks = sorted.map((block) => block.map((row) => (argument === null ? null : evaluate(argument, row))));
    const frames = framesOf(term, sorted);
    for (const [b, block] of sorted.entries())
      for (const [i, row] of block.entries()) values.set(row, valueAt(term, blocks, { block: b, place: i }, frames[b]));
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
function valueAt(term: Window, blocks: Blocks, at: Place, range: BlockRange | undefined): Value {
  const before = blocks.slice(0, at.block).flat().length;
  const rows = blocks.flat().length;
  switch (term.name) {
    case 'ROW_NUMBER':
      return BigInt(placeOf(blocks, at) + 1);
    case 'RANK':
      return BigInt(before + 1);
    case 'DENSE_RANK':
      return BigInt(at.block + 1);
    case 'PERCENT_RANK':
      return rows > 1 ? before / (rows - 1) : 0;
    case 'CUME_DIST':
      return (before + (blocks[at.block]?.length ?? 0)) / rows;
    case 'NTILE':
      return bucketOf(blocks, placeOf(blocks, at), term.offset ?? 1);
    case 'FIRST_VALUE':
      return valueOfPlace(frameOf(term, blocks, at, range), 0);
    case 'LAST_VALUE': {
      const frame = frameOf(term, blocks, at, range);
      return valueOfPlace(frame, frame.flat().length - 1);
    }
    case 'NTH_VALUE':
      return valueOfPlace(frameOf(term, blocks, at, range), (term.offset ?? 1) - 1);
    case 'LAG':
    case 'LEAD':
      return valueBeside(term, blocks, placeOf(blocks, at));
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
      return aggregateOf(term, frameOf(term, blocks, at, range).flat());
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

/** LAG and LEAD. */
function valueBeside({ name, offset, ignoresNulls }: Window, blocks: Blocks, place: number): Value {
  const [far, step] = [offset ?? 1, name === 'LAG' ? -1 : 1];
  if (!ignoresNulls || far === 0) return valueOfPlace(blocks, place + far * step);
  const rows = withoutTies(blocks);
  const beside = step < 0 ? rows.slice(0, place).toReversed() : rows.slice(place + 1);
  return beside.filter((value) => value !== null)[far - 1] ?? null;
}

function valueOfPlace(blocks: Blocks, place: number): Value {
  let start = 0;
  for (const block of blocks) {
    if (place >= start && place < start + block.length) return valueOfBlock(block);
    start += block.length;
  }
  return null;
}

function valueOfBlock(block: readonly Value[]): Value {
  const [first = null, ...rest] = block;
  if (rest.some((value) => compareInside(first, value) !== 0)) throw new Unpromised('order of ties in a window');
  return first;
}

function withoutTies(blocks: Blocks): readonly Value[] {
  if (blocks.some((block) => block.length > 1)) throw new Unpromised('order of ties in a window');
  return blocks.flat();
}

/** The blocks of a frame: from `start`, and up to `end`, which is not among them. */
interface BlockRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the frame of the rows of each block: with ORDER BY up to its ties, else all rows. ROWS depends on the row. */
function framesOf({ orderBy, frame }: Window, sorted: readonly (readonly Environment[])[]): readonly BlockRange[] {
  const [key] = orderBy;
  if (key === undefined) return sorted.map(() => ({ start: 0, end: sorted.length }));
  if (frame === null || frame.unit === 'ROWS') return sorted.map((_, b) => ({ start: 0, end: b + 1 }));
  const { start, end } = frame;
  const keys = sorted.map(([row]) => (row === undefined || !hasOffset(frame) ? null : asMomentOfTime(evaluate(key.value, row))));
  return keys.map((value, b) => {
    const first = start.offset === null ? -1 : keys.findIndex((other) => compareKey(other, boundOf(key, value, start), key) >= 0);
    const last = end.offset === null ? -1 : keys.findLastIndex((other) => compareKey(other, boundOf(key, value, end), key) <= 0);
    return {
      start: start.side === 'CURRENT ROW' ? b : start.offset === null ? 0 : first < 0 ? sorted.length : first,
      end: end.side === 'CURRENT ROW' ? b + 1 : end.offset === null ? sorted.length : last + 1,
    };
  });
}

function hasOffset({ start, end }: WindowFrame): boolean {
  return start.offset !== null || end.offset !== null;
}

/** A date as a timestamp, which it is once an interval is added. */
function asMomentOfTime(value: Value): Value {
  return typeof value === 'object' && value?.kind === 'moment' ? asTimestamp(value) : value;
}

/** Returns the value of ORDER BY at which a frame begins or ends. */
function boundOf({ value, isDescending }: Order, key: Value, { side, offset }: FrameEdge): Value {
  if (key === null || offset === null) return key;
  const operator = (side === 'FOLLOWING') === isDescending ? '-' : '+';
  if (offset.shape === 'interval') return calculateTemporal(operator, key, offset.value);
  return calculate(operator, key, convert(offset.value, value.shape), value.shape);
}

/** Returns the rows of a frame, in blocks of ties. */
function frameOf({ frame, ignoresNulls }: Window, blocks: Blocks, at: Place, range: BlockRange | undefined): Blocks {
  if (range === undefined) return [];
  const rows = frame?.unit === 'ROWS' ? rowsOf(frame, withoutTies(blocks), placeOf(blocks, at)) : blocks.slice(range.start, range.end);
  return ignoresNulls ? rows.map((block) => block.filter((value) => value !== null)) : rows;
}

/** ROWS: the rows from one place to another, a block each. */
function rowsOf({ start, end }: WindowFrame, rows: readonly Value[], place: number): Blocks {
  const placeOfEdge = ({ side, offset }: FrameEdge): number =>
    side === 'CURRENT ROW' ? place : (side === 'PRECEDING' ? -1 : 1) * Number(offset?.value ?? rows.length) + place;
  return rows.slice(Math.max(0, placeOfEdge(start)), Math.max(0, placeOfEdge(end) + 1)).map((row) => [row]);
}

function aggregateOf({ name, argument }: Window, frame: readonly Value[]): Value {
  if (argument === null) return BigInt(frame.length);
  const present = frame.filter((value) => value !== null);
  return AGGREGATES[name]?.(present, Number.NaN) ?? null;
}
