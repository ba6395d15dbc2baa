import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { freeBytes } from '../statements/free-bytes.ts';

const PIECE_BYTES = 256 * 1024;
/** Fewer bytes wait for others, or for the end of the file. */
export const LEAST_PIECE_BYTES = 16 * 1024;
/** Interval at which the file is checked for new data. */
const LOOK_AGAIN_MILLIS = 5;

/**
 * Yields the bytes of a file, from its start, while it is being appended to: `writing` settles when the file is complete; if
 * it rejects so does this, before or after the bytes written until then.
 */
export async function* readGrowingFile(file: FileHandle, writing: Promise<unknown>): AsyncGenerator<Uint8Array> {
  let isWhole = false;
  const written = writing.then(() => {
    isWhole = true;
  });
  written.catch(() => undefined); // it is looked at whenever there is nothing to read
  let buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
  try {
    for (let position = 0; ;) {
      const isLast = isWhole; // what is read after this is all there is
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, position);
      if (bytesRead === 0 && isLast) return;
      if (bytesRead < LEAST_PIECE_BYTES && !isLast) {
        await Promise.race([written, delay(LOOK_AGAIN_MILLIS)]);
        continue;
      }
      position += bytesRead;
      // The consumer can release the memory of a chunk, which shares its buffer with no other.
      if (bytesRead < PIECE_BYTES) yield new Uint8Array(buffer.subarray(0, bytesRead));
      else {
        const piece = buffer;
        buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
        yield piece;
      }
    }
  } finally {
    freeBytes(buffer);
  }
}
