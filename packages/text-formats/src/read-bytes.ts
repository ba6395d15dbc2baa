import { createReadStream } from 'node:fs';
import type { Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { createZstdDecoder } from '@svc/zstd';

import { interrupted, ReadFailure } from './read-failure.ts';
import { READ_MESSAGES } from './read-messages.ts';

/** Compressions that are read as they stream. */
export type Compression = 'gzip' | 'zstd';

/** Yields the bytes of a file, decompressed. Leaving the iteration closes the file. Fails with a ReadFailure. */
export async function* readBytes(path: string, compression: Compression | null, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* openFile(path, compression, signal);
  } catch (thrown) {
    throw openFailure(thrown, signal);
  }
}

function openFile(path: string, compression: Compression | null, signal: AbortSignal): AsyncIterable<Buffer> {
  // If the signal is already aborted, Node opens the file of the stream and never closes it.
  signal.throwIfAborted();
  const file = createReadStream(path, { signal, highWaterMark: 2 ** 18 });
  if (compression === null) return file;
  const decompress: Transform = compression === 'gzip' ? createGunzip() : createZstdDecoder();
  file.on('error', (error) => decompress.destroy(error));
  decompress.on('close', () => file.destroy());
  return file.pipe(decompress);
}

/** Converts an error of opening or decompressing a file to a ReadFailure; returns other errors unchanged. */
export function openFailure(thrown: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return interrupted(thrown);
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOENT' || code === 'EACCES') return new ReadFailure('missing-file', READ_MESSAGES.missingFile, { cause: thrown });
  if (/^(Z_|ZSTD_|ERR_ZSTD)/.test(code)) return new ReadFailure('unreadable', READ_MESSAGES.notDecompressed, { cause: thrown });
  return thrown;
}
