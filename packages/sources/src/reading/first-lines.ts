import { MOST_LINE_BYTES } from '@svc/query-engine';
import { READ_MESSAGES, readBytes, ReadFailure } from '@svc/text-formats';

import type { SeenFile } from './prepare-files.ts';

const LINE_FEED = 0x0a;
/** Minimum compressed size of a line that is too long. */
const LEAST_COMPRESSED_BYTES = 1000;

/**
 * Fails with a ReadFailure if the first line of a file exceeds the maximum length. The engine detects other long lines,
 * but treats a first line that exceeds its buffer as a file without lines.
 */
export async function checkFirstLines(seen: readonly SeenFile[], signal: AbortSignal): Promise<void> {
  for (const { found, look } of seen) {
    if (found.size <= (look.compression === null ? MOST_LINE_BYTES : LEAST_COMPRESSED_BYTES)) continue;
    let [bytes, isOpen] = [0, true];
    for await (const piece of readBytes(found.path, look.compression, signal)) {
      const end = piece.indexOf(LINE_FEED);
      bytes += end === -1 ? piece.byteLength : end;
      isOpen = end === -1;
      if (bytes > MOST_LINE_BYTES)
        throw new ReadFailure('unreadable', READ_MESSAGES.longLine('line 1', MOST_LINE_BYTES), { sourcePath: found.path });
      if (end !== -1) break;
    }
    if (found.isBeginning === true && isOpen) throw new ReadFailure('unreadable', 'the beginning of the file holds no line');
  }
}
