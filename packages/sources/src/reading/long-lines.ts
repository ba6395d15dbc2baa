import { open, stat } from 'node:fs/promises';

import {
  type EngineFailure,
  MOST_CSV_BUFFER_BYTES,
  MOST_CSV_LINE_BYTES,
  MOST_LINE_BYTES,
  type ReadFile,
  type ReadPlan,
  type TextReadPlan,
} from '@svc/query-engine';

import { mapAtOnce } from '@svc/concurrency';
import { type Compression, isReadFailure, READ_MESSAGES, readBytes, ReadFailure } from '@svc/text-formats';

const PIECE_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LOOKED_AT_ONCE = 64;

/**
 * Throws a ReadFailure if a compressed file breaks off, since the engine would take that for its end, or if the last line of a file exceeds
 * the engine's buffer, since the engine would silently skip that line. The engine itself detects all other long lines, and all long lines of
 * compressed files of lines. Compressed files are decompressed for this: about as fast as the engine reads them.
 */
export async function checkEnds(plan: ReadPlan, signal: AbortSignal): Promise<void> {
  const lines = linesOf(plan);
  const { compression } = plan;
  if (compression !== null) return checkPackedFiles(plan, compression, signal);
  if (lines === null) return;
  const isLarge = async ({ path }: ReadFile): Promise<boolean> => {
    signal.throwIfAborted();
    // The reader reports a missing file.
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    return size > lines.buffer;
  };
  const areLarge = await mapAtOnce(plan.files, LOOKED_AT_ONCE, isLarge);
  for (const { path, location } of plan.files.filter((_, i) => areLarge[i])) {
    signal.throwIfAborted();
    if (await hasLongEnd(path, { ...lines, signal })) throw longLastLine(location, lines);
  }
}

async function checkPackedFiles(plan: ReadPlan, compression: Compression, signal: AbortSignal): Promise<void> {
  // The engine detects all long lines but the last of CSV.
  const lines = plan.kind === 'csv' ? linesOf(plan) : null;
  for (const { path, location } of plan.files) {
    signal.throwIfAborted();
    const length = await packedEndLength(path, { ends: lines?.ends ?? [], compression, signal }).catch((thrown: unknown) => {
      if (isReadFailure(thrown) && thrown.failureClass === 'unreadable')
        throw new ReadFailure('unreadable', `${location}: ${thrown.message}`, { cause: thrown });
      throw thrown;
    });
    if (lines !== null && length > lines.buffer) throw longLastLine(location, lines);
  }
}

function longLastLine(location: string, { most }: Lines): ReadFailure {
  return new ReadFailure('unreadable', `${location}: ${READ_MESSAGES.longLine('the last line', most)}`);
}

/**
 * Finds the long line that may have caused a failure, as a failure without the file: `line 7 is longer than 2 MB`. With several
 * threads the engine cannot identify the line, and it reads a CSV line that fills its buffer as lines with too many or too few
 * columns. Returns null if there is no such line up to the failed one.
 */
export async function findLongLine(failure: EngineFailure, plan: LinesPlan, signal: AbortSignal): Promise<ReadFailure | null> {
  const { failureClass, sourceLine: last, sourceColumn, sourcePath } = failure;
  const lines = linesOf(plan);
  if (lines === null || failureClass !== 'csv' || last === undefined || sourceColumn !== undefined) return null;
  for (const { path } of plan.files.filter((file) => sourcePath === undefined || file.path === sourcePath)) {
    let [line, length] = [1, 0];
    for await (const piece of readBytes(path, plan.compression, signal)) {
      for (let at = 0; at < piece.length && line <= last;) {
        const end = piece.indexOf(LINE_FEED, at);
        length += (end < 0 ? piece.length : end) - at;
        if (length > lines.most) return new ReadFailure('csv', READ_MESSAGES.longLine(`line ${line}`, lines.most), { sourcePath: path });
        if (end < 0) break;
        [line, length, at] = [line + 1, 0, end + 1];
      }
      if (line > last) break;
    }
  }
  return null;
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

function linesOf(plan: LinesPlan): Lines | null {
  if (plan.kind === 'csv') return { most: MOST_CSV_LINE_BYTES, buffer: MOST_CSV_BUFFER_BYTES, ends: [LINE_FEED, CARRIAGE_RETURN] };
  return plan.kind === 'text' && plan.unit === 'lines' ? { most: MOST_LINE_BYTES, buffer: MOST_LINE_BYTES, ends: [LINE_FEED] } : null;
}

/** Bytes of lines that the engine skips as empty. */
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, LINE_FEED, CARRIAGE_RETURN]);

/** Decompresses the whole file, and counts the bytes of the last line that is not blank. Fails with a ReadFailure if the file is damaged. */
async function packedEndLength(
  path: string,
  { ends, compression, signal }: Pick<Lines, 'ends'> & { readonly compression: Compression; readonly signal: AbortSignal },
): Promise<number> {
  // Of the last line with content that has ended, and of the line that has not.
  let [ended, length, hasContent] = [0, 0, false];
  for await (const piece of readBytes(path, compression, signal)) {
    const content = contentEnd(piece);
    const start = 1 + lastEnd(piece.subarray(0, content), ends);
    const end = firstEnd(piece, ends, content);
    hasContent ||= content > 0;
    if (end < 0) length = (start > 0 ? 0 : length) + piece.length - start;
    else {
      if (hasContent) ended = (start > 0 ? 0 : length) + end - start;
      length = piece.length - lastEnd(piece, ends) - 1;
      hasContent = false;
    }
  }
  return hasContent ? length : ended;
}

/** Reads backwards from the end of the last line that is not blank to its start: in all files but a few that is in the first piece. */
async function hasLongEnd(path: string, { buffer, ends, signal }: Lines & { readonly signal: AbortSignal }): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return false;
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(PIECE_BYTES);
    let length = 0;
    for (let end = size; end > 0 && length <= buffer;) {
      signal.throwIfAborted();
      const start = Math.max(0, end - PIECE_BYTES);
      const { bytesRead } = await file.read(bytes, 0, end - start, start);
      const content = length > 0 ? bytesRead : contentEnd(bytes.subarray(0, bytesRead));
      const lineStart = 1 + lastEnd(bytes.subarray(0, content), ends);
      length += content - lineStart;
      if (lineStart > 0) break;
      end = start;
    }
    return length > buffer;
  } finally {
    await file.close();
  }
}

/** Returns the offset behind the last byte that is not blank; 0 if there is none. */
function contentEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && BLANKS.has(bytes[end - 1] ?? 0)) end -= 1;
  return end;
}

function lastEnd(bytes: Buffer, ends: Lines['ends']): number {
  return Math.max(-1, ...ends.map((byte) => bytes.lastIndexOf(byte)));
}

function firstEnd(bytes: Buffer, ends: Lines['ends'], from: number): number {
  const found = ends.map((byte) => bytes.indexOf(byte, from)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}
