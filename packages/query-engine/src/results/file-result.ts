import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { anyAborted } from '@svc/concurrency';
import type { EngineLease } from '../instances/engine-lease.ts';
import type { FileClaim } from '../instances/file-space.ts';
import { spoolFull } from '../statements/spool-full.ts';
import { LEAST_PIECE_BYTES, readGrowingFile } from './read-growing-file.ts';
import type { FileFormatName } from './result-format.ts';
import { ResultTooLarge } from './stream-result.ts';
import { writeParquetAvro, writeParquetRaw, type FileRequest, type WrittenFile } from './write-parquet.ts';
import { writeSqlite } from './write-sqlite.ts';

/** A result that is written to a file. */
export interface FileStatement extends Omit<FileRequest, 'path'> {
  readonly format: FileFormatName;
  /** A folder of the spool, in which the file gets a subfolder. */
  readonly spoolDirectory: string;
  /** Bytes of the file, at most. */
  readonly maxBytes?: number | undefined;
}

/** The bytes of a result's file, and its properties, known once the first byte has arrived. */
export interface FileStream extends AsyncIterable<Uint8Array> {
  readonly progress: () => { readonly rows: number; readonly bytes: number; readonly isTruncated: false };
  /** Size of the whole file, if it is sent only when complete, as a small one is. */
  readonly size: () => number | undefined;
}

const WRITERS = { sqlite: writeSqlite, 'parquet-avro': writeParquetAvro, 'parquet-raw': writeParquetRaw } as const satisfies Record<
  FileFormatName,
  typeof writeSqlite
>;

/** Interval at which the size of a file is checked. */
const SIZE_CHECK_MILLIS = 100;

/**
 * Writes a result to a file and streams its bytes. Parquet is sent while it is written, unless its size is limited; SQLite,
 * whose pages change until the end, when it is complete. The lease is released when the file is complete, however slow its
 * reader is. The file is deleted in any case. Fails with an EngineFailure, possibly after some bytes, or before the first
 * with ResultTooLarge; a failed file lacks its end.
 */
export function streamFile(lease: EngineLease, statement: FileStatement): FileStream {
  const state: { rows: number; bytes: number; size: number | undefined } = { rows: 0, bytes: 0, size: undefined };
  const isSentWhole = statement.format === 'sqlite' || statement.maxBytes !== undefined;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const folder = await mkdtemp(join(statement.spoolDirectory, 'result-'));
    const left = new AbortController();
    const space = lease.fileSpace.claim();
    let writing = Promise.resolve();
    try {
      const path = join(folder, 'result');
      await using file = await open(path, 'w+');
      writing = writeFile(lease, statement, { path, space, left: left.signal }).then(async ({ rows }) => {
        state.rows = rows;
        await lease.release();
      });
      if (isSentWhole) {
        await writing;
        state.size = (await file.stat()).size;
        if (statement.maxBytes !== undefined && state.size > statement.maxBytes) throw new ResultTooLarge(statement.maxBytes);
      }
      for await (const piece of readGrowingFile(file, writing)) {
        if (state.bytes === 0 && piece.byteLength < LEAST_PIECE_BYTES) state.size = piece.byteLength;
        state.bytes += piece.byteLength;
        yield piece;
      }
    } finally {
      left.abort();
      await writing.catch(() => undefined); // it has been thrown, or nobody reads any more
      await rm(folder, { recursive: true, force: true });
      space.release();
    }
  }
  return {
    progress: () => ({ rows: state.rows, bytes: state.bytes, isTruncated: false }),
    size: () => state.size,
    [Symbol.asyncIterator]: bytes,
  };
}

/** Writes the whole file, while there is space for it. */
async function writeFile(
  lease: EngineLease,
  statement: FileStatement,
  { path, space, left }: { readonly path: string; readonly space: FileClaim; readonly left: AbortSignal },
): Promise<WrittenFile> {
  const full = new AbortController();
  const timer = setInterval(() => {
    stat(path).then(
      ({ size }) => space.grow(size) || full.abort(),
      () => undefined, // it is gone already
    );
  }, SIZE_CHECK_MILLIS);
  try {
    return await WRITERS[statement.format](lease, { ...statement, path, signal: anyAborted(statement.signal, left, full.signal) });
  } catch (thrown) {
    if (!full.signal.aborted || statement.signal.aborted) throw thrown;
    throw spoolFull(thrown);
  } finally {
    clearInterval(timer);
  }
}
