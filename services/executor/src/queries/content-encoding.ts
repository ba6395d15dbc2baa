import { promisify } from 'node:util';
import type { BrotliCompress, Gzip, ZstdCompress } from 'node:zlib';
import { constants, createBrotliCompress, createGzip, createZstdCompress, gzip, brotliCompress, zstdCompress } from 'node:zlib';

import Negotiator from 'negotiator';

/** Content coding of a body. */
export type ContentEncoding = 'zstd' | 'br' | 'gzip';

/** In order of preference among equal weights: the cheapest for its ratio first. */
const PREFERRED = ['zstd', 'br', 'gzip', 'identity'] as const;

interface EncodingNegotiator {
  readonly encodings: (available: string[], options: { readonly preferred: string[] }) => string[];
}

/** Negotiates the coding from `Accept-Encoding`; null for identity, also if the header is unknown or cannot be satisfied. */
export function chooseEncoding(acceptEncoding: string | undefined): ContentEncoding | null {
  if (acceptEncoding === undefined) return null;
  // The types of the package do not declare its option yet.
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }) as EncodingNegotiator;
  const [best] = negotiator.encodings([...PREFERRED], { preferred: [...PREFERRED] });
  return best === 'zstd' || best === 'br' || best === 'gzip' ? best : null;
}

// A server that streams has no time for the strongest compression.
const GZIP = { level: 5 };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 20 } };
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

type Compress = (bytes: Uint8Array, done: (error: Error | null, result: Buffer) => void) => void;

const WHOLE = {
  gzip: (bytes, done) => gzip(bytes, GZIP, done),
  br: (bytes, done) => brotliCompress(bytes, BROTLI, done),
  zstd: (bytes, done) => zstdCompress(bytes, ZSTD, done),
} as const satisfies Record<ContentEncoding, Compress>;

const STREAMED = {
  gzip: () => createGzip(GZIP),
  br: () => createBrotliCompress(BROTLI),
  zstd: () => createZstdCompress(ZSTD),
} as const satisfies Record<ContentEncoding, () => Gzip | BrotliCompress | ZstdCompress>;

/** Compresses a body that is complete. */
export async function encodeWhole(bytes: Uint8Array, encoding: ContentEncoding): Promise<Buffer> {
  return promisify<Uint8Array, Buffer>(WHOLE[encoding])(bytes);
}

/** Measures the time that the service works. */
export interface WorkTime {
  readonly during: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Compresses a stream of chunks: each is flushed, so that the reader can decode it, and the next one is requested when the
 * reader has taken it. The final bytes follow only the last chunk, so a failed body lacks them. Compression time counts as
 * work.
 */
export async function* encodePieces(
  pieces: AsyncIterator<Uint8Array>,
  encoding: ContentEncoding,
  time: WorkTime,
): AsyncGenerator<Uint8Array> {
  const stream = STREAMED[encoding]();
  const made: Buffer[] = [];
  const collect = (): void => {
    for (let chunk: unknown = stream.read(); chunk !== null; chunk = stream.read()) made.push(chunk as Buffer); // no encoding is set
  };
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  stream.on('readable', collect);
  stream.once('error', failed.reject);
  const take = (): Buffer => {
    collect();
    return Buffer.concat(made.splice(0));
  };
  try {
    for (;;) {
      const next = await pieces.next();
      if (next.done === true) break;
      const flushed = Promise.withResolvers<void>();
      stream.write(next.value);
      if (encoding === 'gzip') stream.flush(constants.Z_SYNC_FLUSH, flushed.resolve);
      else stream.flush(flushed.resolve);
      await time.during(() => Promise.race([flushed.promise, failed.promise]));
      const bytes = take();
      if (bytes.byteLength > 0) yield bytes;
    }
    const ended = Promise.withResolvers<void>();
    stream.once('end', ended.resolve);
    stream.end();
    await time.during(() => Promise.race([ended.promise, failed.promise]));
    yield take();
  } finally {
    stream.destroy();
    await pieces.return?.();
  }
}
