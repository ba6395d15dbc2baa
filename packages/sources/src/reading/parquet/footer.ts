import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

import type { SparseCopy } from '../../spool/spool.ts';
import { readsExactly } from '../../transports/read-exactly.ts';
import { SourceFailure } from '../../transports/source-failure.ts';
import type { RemoteObject } from '../../transports/transport.ts';

/** First and last bytes of a Parquet file. */
export const PARQUET_MARK = Buffer.from('PAR1');
/** A length of four bytes and the mark stand at the end. */
export const TAIL_BYTES = 8;
/** Bytes at the end of an object that are fetched before it is known how long its footer is. */
export const LEAST_FOOTER_BYTES = 2 ** 16;

/** Returns beginning and footer of a Parquet object at their offsets: all of its metadata. */
export function footerOf({ identity, size, location, bytes }: RemoteObject): SparseCopy {
  if (size === null) throw new Error('the footer stands before an end that is known');
  return {
    key: `footer ${identity}`,
    parts: async function* (signal) {
      const read = (start: number, end: number): AsyncIterable<Uint8Array> =>
        readsExactly(bytes.open({ start, end }, signal), { bytes: end - start, location });
      const tailAt = size - LEAST_FOOTER_BYTES;
      const tail = await buffer(read(tailAt, size));
      const footerAt = size - TAIL_BYTES - tail.readUInt32LE(tail.length - TAIL_BYTES);
      if (!tail.subarray(-PARQUET_MARK.length).equals(PARQUET_MARK) || footerAt < PARQUET_MARK.length)
        throw new SourceFailure('broken', `${location}: this is no Parquet file`);
      yield { at: 0, bytes: PARQUET_MARK };
      let at = footerAt;
      for await (const piece of footerAt < tailAt ? read(footerAt, tailAt) : []) {
        yield { at, bytes: piece };
        at += piece.length;
      }
      yield { at: tailAt, bytes: tail };
    },
  };
}

/** Maximum size of a footer that is parsed: larger ones cost more than they are likely to save. */
const MOST_FOOTER_BYTES = 2 ** 24;

/** Reads the footer of a local Parquet file, or of a file that contains at least the footer. Returns null if the footer is very large. */
export async function readFooter(path: string): Promise<Buffer | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (start: number, length: number): Promise<Buffer> =>
      (await file.read({ buffer: Buffer.alloc(length), position: start })).buffer;
    const length = (await read(size - TAIL_BYTES, TAIL_BYTES)).readUInt32LE();
    return length > MOST_FOOTER_BYTES ? null : await read(size - TAIL_BYTES - length, length);
  } finally {
    await file.close();
  }
}
