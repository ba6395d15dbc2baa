import { crc32 } from 'node:zlib';

import { EngineFailure } from './engine-failure.ts';
import { freeBytes } from './free-bytes.ts';
import type { TextVector } from './text-segments.ts';

/**
 * Number of rows before the decision on a second run: a tenth of a second, and mostly more than fits unread between a reader
 * and the server.
 */
const HEAD_ROWS = 65_536;
/** A head that took longer would lose more by a second run than it gains. */
const MOST_HEAD_MILLIS = 500;
/** A reader that waited for less of the time is about as slow as the engine. */
const LEAST_WAITED = 0.25;
/** With longer rows the engine buffers too few for a second thread to produce some. */
const MOST_ROW_BYTES = 1024;

/**
 * The first rows of a long stream. They show whether the reader is faster than the engine's single-threaded production, and
 * identify the rows that a second run must skip.
 */
export class StreamHead {
  readonly #now: () => number;
  readonly #began: number;
  #firstAt: number | null = null;
  #rows = 0;
  #bytes = 0;
  #checksum = 0;
  #waitedMillis = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#began = now();
  }

  /** Records returned rows, and the time waited for them. Returns true if the head is complete and a second run is worthwhile. */
  give(pieces: readonly Uint8Array[], rows: number, waitedMillis: number): boolean {
    if (this.#rows >= HEAD_ROWS) return false;
    this.#firstAt ??= this.#now();
    this.#rows += rows;
    this.#waitedMillis += waitedMillis;
    for (const piece of pieces) {
      this.#bytes += piece.byteLength;
      this.#checksum = crc32(piece, this.#checksum);
    }
    if (this.#rows < HEAD_ROWS || this.#bytes > this.#rows * MOST_ROW_BYTES) return false;
    const now = this.#now();
    return now - this.#began <= MOST_HEAD_MILLIS && this.#waitedMillis >= (now - this.#firstAt) * LEAST_WAITED;
  }

  /**
   * For another run, whose first rows have been `given`: returns how many of its next rows are among them. Fails with an
   * EngineFailure if the head differs, or fewer rows arrive.
   */
  again(given: number): (texts: TextVector, chunk: { readonly rows: number; readonly areLast: boolean }) => number {
    const seen = { rows: 0, checksum: 0 };
    return (texts, { rows, areLast }) => {
      const skipped = Math.min(rows, given - seen.rows);
      const compared = Math.min(skipped, Math.max(0, this.#rows - seen.rows));
      for (const piece of texts.pieces(0, compared)) {
        seen.checksum = crc32(piece, seen.checksum);
        freeBytes(piece);
      }
      seen.rows += skipped;
      const isOther = seen.rows >= this.#rows && seen.checksum !== this.#checksum;
      if (isOther || (areLast && seen.rows < given)) {
        throw new EngineFailure('internal', 'the query failed', { cause: new Error('Another run gave other rows.') });
      }
      return skipped;
    };
  }
}
