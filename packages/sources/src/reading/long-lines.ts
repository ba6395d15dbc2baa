import { open, stat } from 'node:fs/promises';

import {
  EngineFailure,
  isEngineFailure,
  MOST_CSV_BUFFER_BYTES,
  MOST_CSV_LINE_BYTES,
  MOST_LINE_BYTES,
  type ReadPlan,
  type TextReadPlan,
} from '@svc/query-engine';

import { readBytes } from '../decoders/decode-text.ts';

const PIECE_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MEGABYTE = 1_000_000;

/**
 * Throws an EngineFailure if the last line of a file exceeds the engine's buffer, since the engine would silently skip that
 * line. The engine itself detects all other long lines, and all long lines of compressed files of lines. A compressed CSV is decompressed for
 * this: about as fast as the engine reads it.
 */
export async function checkLastLines(plan: ReadPlan, signal: AbortSignal): Promise<void> {
  const lines = linesOf(plan);
  if (lines === null || (plan.compression !== null && plan.kind !== 'csv')) return;
  for (const { path, location } of plan.files) {
    signal.throwIfAborted();
    const isLong = await (plan.compression === null ? hasLongEnd(path, lines) : hasLongPackedEnd(path, { ...lines, plan, signal }));
    if (isLong) throw new EngineFailure('unreadable', `${location}: the last line is longer than ${inMegabytes(lines.most)}`);
  }
}

/**
 * Finds the first line that exceeds the maximum length, as a failure without the file: `line 7 is longer than 2 MB`. With
 * several threads the engine cannot identify the line. Null if there is none up to the line `last`.
 */
export async function findLongLine(plan: LinesPlan, signal: AbortSignal, last = Infinity): Promise<EngineFailure | null> {
  const lines = linesOf(plan);
  if (lines === null) return null;
  for (const { path } of plan.files) {
    let [line, length] = [1, 0];
    for await (const piece of readBytes(path, plan.compression, signal)) {
      for (let at = 0; at < piece.length && line <= last;) {
        const end = piece.indexOf(LINE_FEED, at);
        length += (end < 0 ? piece.length : end) - at;
        if (length > lines.most)
          return new EngineFailure('csv', `line ${line} is longer than ${inMegabytes(lines.most)}`, { sourcePath: path });
        if (end < 0) break;
        [line, length, at] = [line + 1, 0, end + 1];
      }
      if (line > last) break;
    }
  }
  return null;
}

/**
 * Finds the long line that may have caused a failure: the engine reads a CSV line that fills its buffer as lines with too
 * many or too few columns. Returns null if there is no such line.
 */
export async function findCutLine(failure: EngineFailure, plan: LinesPlan, signal: AbortSignal): Promise<EngineFailure | null> {
  const { failureClass, sourceLine, sourceColumn, sourcePath } = failure;
  if (failureClass !== 'csv' || sourceLine === undefined || sourceColumn !== undefined) return null;
  const files = plan.files.filter(({ path }) => sourcePath === undefined || path === sourcePath);
  return findLongLine({ ...plan, files }, signal, sourceLine);
}

/** Plans whose files consist of lines. */
type LinesPlan = Pick<ReadPlan, 'files' | 'compression'> &
  ({ readonly kind: Exclude<ReadPlan['kind'], 'text'> } | Pick<TextReadPlan, 'kind' | 'unit'>);

interface Lines {
  /** Bytes that a line may have. */
  readonly most: number;
  /** Bytes in which a line must end. */
  readonly buffer: number;
  readonly ends: readonly number[];
}

function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / MEGABYTE)} MB`;
}

function linesOf(plan: LinesPlan): Lines | null {
  if (plan.kind === 'csv') return { most: MOST_CSV_LINE_BYTES, buffer: MOST_CSV_BUFFER_BYTES, ends: [LINE_FEED, CARRIAGE_RETURN] };
  return plan.kind === 'text' && plan.unit === 'lines' ? { most: MOST_LINE_BYTES, buffer: MOST_LINE_BYTES, ends: [LINE_FEED] } : null;
}

/** The most that a byte of a gzip file stands for. */
const MOST_GZIP_RATIO = 1032;

/** Decompresses the whole file, and counts the bytes of its last line. The reader reports a damaged file. */
async function hasLongPackedEnd(
  path: string,
  { buffer, ends, plan, signal }: Lines & { readonly plan: Pick<ReadPlan, 'compression'>; readonly signal: AbortSignal },
): Promise<boolean> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (plan.compression === 'gzip' && size * MOST_GZIP_RATIO <= buffer) return false;
  const endIn = (piece: Buffer, from: number): number => (from < 0 ? -1 : Math.max(...ends.map((byte) => piece.lastIndexOf(byte, from))));
  // Of the line that ended last, and of what follows it.
  let [ended, length] = [0, 0];
  try {
    for await (const piece of readBytes(path, plan.compression, signal)) {
      const end = endIn(piece, piece.length - 1);
      const start = endIn(piece, end - 1);
      const last = start < 0 ? length + end : end - start - 1;
      if (end >= 0 && last > 0) ended = last; // CR and LF end one line
      length = end < 0 ? length + piece.length : piece.length - end - 1;
    }
  } catch (thrown) {
    signal.throwIfAborted();
    if (!isEngineFailure(thrown)) throw thrown;
  }
  return (length > 0 ? length : ended) > buffer;
}

/** Reads backwards from the end, until a line ends: in all files but a few that is in the first piece. */
async function hasLongEnd(path: string, { buffer, ends }: Lines): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  // The reader reports a missing file.
  if (file === null) return false;
  try {
    const { size } = await file.stat();
    if (size <= buffer) return false;
    const piece = Buffer.alloc(PIECE_BYTES);
    // The last byte may end the last line.
    for (let end = size - 1; end > size - 1 - buffer;) {
      const start = Math.max(0, end - PIECE_BYTES);
      const { bytesRead } = await file.read(piece, 0, end - start, start);
      if (ends.some((byte) => piece.subarray(0, bytesRead).includes(byte))) return false;
      end = start;
    }
    return true;
  } finally {
    await file.close();
  }
}
