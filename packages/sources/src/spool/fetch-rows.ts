import { randomUUID } from 'node:crypto';

import { longestRow } from '@svc/pg-rows';

import type { Spool } from './spool.ts';

/** Rows of one run in the spool. */
export interface FetchedRows {
  readonly path: string;
  readonly bytes: number;
  /** Size of the longest row. */
  readonly maxRowBytes: number;
  /** Removes them. */
  readonly close: () => void;
}

/** Writes rows in COPY's text format into the spool, where they stay until they are closed. Throws a ReadFailure. */
export async function fetchRows(
  spool: Spool,
  rows: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<FetchedRows> {
  const longest = longestRow();
  let bytes = 0;
  const copy = {
    key: `rows ${randomUUID()}`,
    isOnce: true,
    pieces: async function* (until: AbortSignal): AsyncGenerator<Uint8Array> {
      for await (const piece of rows(until)) {
        longest.take(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
        bytes += piece.length;
        yield piece;
      }
    },
  };
  const close = await spool.hold(copy, signal);
  return { path: spool.pathOf(copy), bytes, maxRowBytes: longest.bytes(), close };
}
