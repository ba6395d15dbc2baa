import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { EngineLease } from '../instances/engine-lease.ts';
import type { TextStatement } from '../statements/stream-text.ts';
import type { FileFormatName } from './result-format.ts';
import { ResultTooLarge } from './stream-result.ts';
import { writeParquetAvro, writeParquetRaw, type FileRequest, type WrittenFile } from './write-parquet.ts';
import { writeSqlite } from './write-sqlite.ts';

export interface FileStatement extends Omit<FileRequest, 'path'> {
  readonly format: FileFormatName;
  /** A folder of the spool, in which the file gets a folder of its own. */
  readonly spoolDirectory: string;
  /** Bytes of the file, at most. */
  readonly maxBytes?: number | undefined;
  /** See TextStatement. */
  readonly explain?: TextStatement['explain'];
}

/** The bytes of a result's file, and what is known of it once the first of them has come. */
export interface FileStream extends AsyncIterable<Uint8Array> {
  readonly progress: () => { readonly rows: number; readonly bytes: number; readonly isTruncated: false };
  /** Bytes of the whole file; undefined while it is written. */
  readonly size: () => number | undefined;
}

type Writer = (lease: EngineLease, request: FileRequest & Pick<FileStatement, 'explain'>) => Promise<WrittenFile>;

const WRITERS = { sqlite: writeSqlite, 'parquet-avro': writeParquetAvro, 'parquet-raw': writeParquetRaw } as const satisfies Record<
  FileFormatName,
  Writer
>;

const PIECE_BYTES = 256 * 1024;

/**
 * Writes a result to a file and, when it is whole, gives its bytes; the lease is given back before the first of them.
 * However it ends, the file is deleted. Fails with an EngineFailure, or with ResultTooLarge, before the first byte.
 */
export function streamFile(lease: EngineLease, statement: FileStatement): FileStream {
  const state: { rows: number; bytes: number; size: number | undefined } = { rows: 0, bytes: 0, size: undefined };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const folder = await mkdtemp(join(statement.spoolDirectory, 'result-'));
    try {
      const path = join(folder, 'result');
      ({ rows: state.rows } = await WRITERS[statement.format](lease, { ...statement, path }));
      await lease.release();
      await using file = await open(path, 'r');
      state.size = (await file.stat()).size;
      if (statement.maxBytes !== undefined && state.size > statement.maxBytes) throw new ResultTooLarge(statement.maxBytes);
      while (state.bytes < state.size) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(PIECE_BYTES), 0, PIECE_BYTES);
        if (bytesRead === 0) throw new Error('the file of a result became shorter');
        state.bytes += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return {
    progress: () => ({ rows: state.rows, bytes: state.bytes, isTruncated: false }),
    size: () => state.size,
    [Symbol.asyncIterator]: bytes,
  };
}
