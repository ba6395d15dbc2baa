import { isUtf8 } from 'node:buffer';

import { RowError } from './row-error.ts';

/** Maximum length of a line: the memory of one row. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Splits bytes after line feeds into blocks of complete lines. Only the last block may lack the line feed. Drops a byte
 * order mark. Throws RowError if a line is too long.
 */
export async function* lineBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let open: Buffer[] = [];
  let openBytes = 0;
  let isFirst = true;
  const close = (last: Buffer): Buffer => {
    const block = openBytes === 0 ? last : Buffer.concat([...open, last]);
    [open, openBytes] = [[], 0];
    const hasMark = isFirst && block.subarray(0, BYTE_ORDER_MARK.byteLength).equals(BYTE_ORDER_MARK);
    isFirst = false;
    return hasMark ? block.subarray(BYTE_ORDER_MARK.byteLength) : block;
  };
  for await (const { buffer, byteOffset, byteLength } of bytes) {
    const piece = Buffer.from(buffer, byteOffset, byteLength);
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield close(piece.subarray(0, end));
    if (end < piece.byteLength) open.push(piece.subarray(end));
    openBytes += piece.byteLength - end;
    if (isTooLong(openBytes)) throw tooLong();
  }
  if (openBytes > 0) yield close(Buffer.alloc(0));
}

/** Calls `take` with start and end of each line of a block without its line feed, until it throws. Rejects bytes that are not UTF-8. */
export function forEachLine(block: Buffer, take: (start: number, end: number) => void): void {
  const isText = isUtf8(block);
  for (let start = 0; start < block.byteLength;) {
    const feed = block.indexOf(LINE_FEED, start);
    const end = feed === -1 ? block.byteLength : feed;
    if (!isText && !isUtf8(block.subarray(start, end))) throw new RowError(null, 'the bytes are not UTF-8 text');
    take(start, end);
    start = end + 1;
  }
}

/** Returns the error of a line, or of a record over several lines. */
export function tooLong(): RowError {
  return new RowError(null, `it is longer than ${MAX_LINE_BYTES} bytes`);
}

/** Returns whether a record that grows by lines is too long. */
export function isTooLong(length: number): boolean {
  return length > MAX_LINE_BYTES;
}
