import type { EngineLease } from '../instances/engine-lease.ts';
import { streamText, type TextProgress, type TextStatement, type TextStream } from '../statements/stream-text.ts';
import type { PrintedRows, TextFraming } from './print-rows.ts';

/** The result exceeds the allowed bytes and cannot be truncated. */
export class ResultTooLarge extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`The result does not fit into ${maxBytes} bytes.`);
    this.name = 'ResultTooLarge';
    this.maxBytes = maxBytes;
  }
}

/** A result that is streamed as text; `maxBytes` is the maximum size of the whole body. */
export interface ResultStatement extends Omit<TextStatement, 'sql' | 'isWhole'> {
  readonly printed: PrintedRows;
}

/**
 * Streams the body of a result. `progress` counts rows, and bytes of the body so far. Fails with an EngineFailure, possibly
 * after some bytes and without the end, or before the first byte with ResultTooLarge.
 */
export function streamResult(lease: EngineLease, statement: ResultStatement): TextStream {
  const { framing, sql, isWhole } = statement.printed;
  const rows = streamText(lease, { ...statement, sql, isWhole, maxBytes: roomForRows(framing, statement.maxBytes) });
  const progress = { bytes: 0 };
  return {
    progress: (): TextProgress => ({ ...rows.progress(), bytes: progress.bytes }),
    [Symbol.asyncIterator]: () => counted(framed(rows, statement), progress),
  };
}

/** A module function: a generator created per stream would be retained, with its closure, until a full garbage collection. */
async function* counted(pieces: AsyncIterable<Uint8Array>, progress: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    progress.bytes += piece.byteLength;
    yield piece;
  }
}

function roomForRows(framing: TextFraming, maxBytes: number | undefined): number | undefined {
  if (maxBytes === undefined) return undefined;
  return maxBytes - Buffer.byteLength(framing.prefix) - Buffer.byteLength(framing.suffix) + (framing.dropsFirstByte ? 1 : 0);
}

/** The prefix is sent with the first rows, so that a failure before them sends nothing. */
async function* framed(rows: TextStream, { printed: { framing }, maxBytes }: ResultStatement): AsyncGenerator<Uint8Array> {
  const room = roomForRows(framing, maxBytes) ?? Infinity;
  const leastRoom = framing.dropsFirstByte ? 1 : 0;
  if (maxBytes !== undefined && room < leastRoom) throw new ResultTooLarge(maxBytes);
  let isFirst = true;
  for await (const piece of rows) {
    if (maxBytes !== undefined && !framing.canBeCut && rows.progress().isTruncated) throw new ResultTooLarge(maxBytes);
    yield isFirst ? Buffer.concat([Buffer.from(framing.prefix), framing.dropsFirstByte ? piece.subarray(1) : piece]) : piece;
    isFirst = false;
  }
  if (maxBytes !== undefined && !framing.canBeCut && rows.progress().isTruncated) throw new ResultTooLarge(maxBytes);
  const rest = (isFirst ? framing.prefix : '') + framing.suffix;
  if (rest !== '') yield Buffer.from(rest);
}
