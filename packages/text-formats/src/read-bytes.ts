import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
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
  if (compression === null) return readPlain(path, signal);
  const file = createReadStream(path, { signal, highWaterMark: PIECE_BYTES });
  const decompress: Transform = compression === 'gzip' ? createGunzip() : createZstdDecoder();
  file.on('error', (error) => decompress.destroy(error));
  decompress.on('close', () => file.destroy());
  return file.pipe(decompress);
}

const FIRST_PIECE_BYTES = 2 ** 14;
const PIECE_BYTES = 2 ** 18;

/** Yields the bytes of a file, in large pieces once it has filled a small one: large buffers for thousands of small files take most of the time. */
async function* readPlain(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    let size = FIRST_PIECE_BYTES;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      size = bytesRead === size ? PIECE_BYTES : FIRST_PIECE_BYTES;
    }
  } finally {
    await file.close();
  }
}

/** Converts an error of opening or decompressing a file to a ReadFailure; returns other errors unchanged. */
export function openFailure(thrown: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return interrupted(thrown);
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOENT' || code === 'EACCES') return new ReadFailure('missing-file', READ_MESSAGES.missingFile, { cause: thrown });
  if (/^(Z_|ZSTD_|ERR_ZSTD)/.test(code)) return new ReadFailure('unreadable', READ_MESSAGES.notDecompressed, { cause: thrown });
  return thrown;
}
