import { createReadStream } from 'node:fs';
import type { Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** Compressions that are read as they stream. */
export type Compression = 'gzip' | 'zstd';

/** Streams the decompressed bytes of a file. Leaving the iteration closes it. Throws the signal's reason if it is aborted already. */
export function openFile(path: string, compression: Compression | null, signal: AbortSignal): AsyncIterable<Buffer> {
  // If the signal is already aborted, Node opens the file of the stream and never closes it.
  signal.throwIfAborted();
  const file = createReadStream(path, { signal, highWaterMark: 2 ** 18 });
  if (compression === null) return file;
  const decompress: Transform = compression === 'gzip' ? createGunzip() : createZstdDecompress();
  file.on('error', (error) => decompress.destroy(error));
  decompress.on('close', () => file.destroy());
  return file.pipe(decompress);
}
