import { crc32 } from 'node:zlib';

import { EngineFailure } from './engine-failure.ts';
import { freeBytes } from './free-bytes.ts';
import { MOST_SHORT_BYTES } from './stream-buffer.ts';
import type { TextVector } from './text-segments.ts';

/**
 * So many rows are given before it is asked whether the stream is worth a second run: a tenth of a second, and mostly
 * more than lies between a reader and us unread.
 */
const HEAD_ROWS = 65_536;
/** Who got them later waits longer for a second run than it brings. */
const MOST_HEAD_MILLIS = 500;
/** A reader that waited for less of the time is about as slow as the engine. */
const LEAST_WAITED = 0.25;
/** Of longer rows, the engine does not hold so many that a second thread could make some. */
const MOST_ROW_BYTES = 1024;

/**
 * The first rows of a long stream. From them it is known whether its reader is faster than the engine makes rows, one
 * thread after the other, and another run can leave out just them.
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

  /** What was given, and how long it was waited for. Returns whether the head is complete, and a second run worth its while. */
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

  /** Whether its rows are so short that others will hardly be longer than MOST_SHORT_BYTES. */
  get isShort(): boolean {
    return this.#bytes * 3 <= this.#rows * MOST_SHORT_BYTES;
  }

  /**
   * For another run, of which the first rows have been `given`: tells how many of its next rows are among them. Fails
   * with an EngineFailure where the head is another, or fewer rows come.
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
