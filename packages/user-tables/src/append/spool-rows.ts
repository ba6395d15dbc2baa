import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { MOST_LINE_BYTES } from '@svc/query-engine';
import { hasDecimals, type Type } from '@svc/query-language';

import { withLongDecimals } from './long-decimals.ts';
import { RefusedRows } from './refused-rows.ts';

/** Format of uploaded rows: a JSON value in each line, or comma-separated values with a header. */
export type RowFormat = 'json-lines' | 'csv';

/** Spool for the body of an upload, from which the engine reads it. */
export interface UploadSpool {
  /** An existing folder that the engine may read. */
  readonly directory: string;
  /** Called with the size of each piece before it is written; fails without space for it. */
  readonly reserve: (bytes: number) => void;
}

/** The body of an upload in a folder of its own. */
export interface SpooledRows {
  readonly directory: string;
  readonly path: string;
  /** Digest of the format and of the body as sent; null without an idempotency key. */
  readonly digest: Buffer | null;
  readonly remove: () => Promise<void>;
}

interface SpooledBody {
  readonly body: AsyncIterable<Uint8Array>;
  readonly format: RowFormat;
  /** Key under which the rows may be sent again, which needs their digest. */
  readonly idempotencyKey: string | null;
  /** Type of the table's rows. */
  readonly rowType: Type;
  readonly signal: AbortSignal;
}

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const WAITING_BYTES = 4 * 1024 * 1024;

/**
 * Writes the body of an upload into the spool, without its byte order mark. Throws RefusedRows for a line that is too long, what the body
 * throws, and what `reserve` throws.
 */
export async function spoolRows(
  { body, format, rowType, idempotencyKey, signal }: SpooledBody,
  { directory: parent, reserve }: UploadSpool,
): Promise<SpooledRows> {
  const directory = await mkdtemp(join(parent, 'upload-'));
  const path = join(directory, 'rows');
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  const hash = idempotencyKey === null ? null : createHash('sha256').update(format);
  const lines = lineLimit();
  const checked = async function* (): AsyncGenerator<Uint8Array> {
    let start: Buffer | null = Buffer.alloc(0);
    for await (const piece of body) {
      hash?.update(piece);
      reserve(piece.byteLength);
      lines.take(piece);
      if (start === null) yield piece;
      else if ((start = Buffer.concat([start, piece])).byteLength >= BYTE_ORDER_MARK.byteLength) {
        yield withoutMark(start);
        start = null;
      }
    }
    if (start !== null) yield withoutMark(start);
  };
  try {
    const written = format === 'json-lines' && hasDecimals(rowType) ? withLongDecimals(checked(), rowType) : checked();
    await pipeline(written, createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: WAITING_BYTES }), { signal });
    return { directory, path, digest: hash?.digest() ?? null, remove };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}

function withoutMark(start: Buffer): Buffer {
  const { byteLength } = BYTE_ORDER_MARK;
  return start.subarray(0, byteLength).equals(BYTE_ORDER_MARK) ? start.subarray(byteLength) : start;
}

/** Refuses a line that is too long, by the first and the last line feed of each piece: pieces are far shorter. */
function lineLimit(): { readonly take: (piece: Uint8Array) => void } {
  let [open, isFirst] = [0, true];
  return {
    take: (piece) => {
      const first = piece.indexOf(LINE_FEED);
      open += first < 0 ? piece.byteLength : first;
      if (open > MOST_LINE_BYTES) throw new RefusedRows(`${isFirst ? 'line 1' : 'a line'} is longer than ${MOST_LINE_BYTES} bytes`);
      if (first < 0) return;
      open = piece.byteLength - piece.lastIndexOf(LINE_FEED) - 1;
      isFirst = false;
    },
  };
}

/** Finds the first line of a file that is not UTF-8, from 1; null if all lines are. */
export async function findBadLine(path: string, signal: AbortSignal): Promise<number | null> {
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { signal, highWaterMark: WAITING_BYTES }) as AsyncIterable<Buffer>) {
    const text = Buffer.concat([rest, piece]);
    const whole = text.subarray(0, text.lastIndexOf(LINE_FEED) + 1);
    rest = text.subarray(whole.byteLength);
    for (let start = 0; start < whole.byteLength; line += 1) {
      const end = whole.indexOf(LINE_FEED, start) + 1;
      if (!isUtf8(whole.subarray(start, end))) return line;
      start = end;
    }
  }
  return isUtf8(rest) ? null : line;
}
