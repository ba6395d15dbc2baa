import { READ_MESSAGES } from '@svc/text-formats';

import type { EngineLease } from '../instances/engine-lease.ts';
import { fileList } from '../readers/file-columns.ts';
import type { ReadFile } from '../readers/read-plan.ts';
import { EngineFailure } from '../statements/engine-failure.ts';
import { readingParquet } from '../statements/parquet-fault.ts';
import { runStatement } from '../statements/run-statement.ts';
import { parquetSchemas, type SchemaNode } from './parquet-schema.ts';

/** Bytes of a Parquet file that hold the values of a column in one row group, or its Bloom filter. */
export interface ParquetChunk {
  /** Position of the row group, from 0. */
  readonly rowGroup: number;
  /** Position of the top-level column that it is of, from 0. */
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

const NUMBERS = [
  'row_group_id',
  'column_id',
  'dictionary_page_offset',
  'data_page_offset',
  'total_compressed_size',
  'bloom_filter_offset',
  'bloom_filter_length',
] as const;

/** Old writers omitted the dictionary's header from a chunk's size. */
const PADDING = 128;

/**
 * Returns the ranges of a Parquet file's column chunks, from its footer; null if that does not cover all bytes that the
 * engine may read of a column. Fails with an EngineFailure.
 */
export async function parquetChunks(lease: EngineLease, file: ReadFile, signal: AbortSignal): Promise<readonly ParquetChunk[] | null> {
  const [root] = await parquetSchemas(lease, [file], signal);
  const columnOfLeaf = (root?.children ?? []).flatMap((child, column) => Array.from({ length: countLeaves(child) }, () => column));
  const sql = `SELECT ${NUMBERS.map((name) => `${name}::DOUBLE AS ${name}`).join(', ')} FROM parquet_metadata(${fileList([file])})`;
  const chunks: ParquetChunk[] = [];
  for (const row of await readingParquet(lease, () => runStatement(lease, { sql, signal }))) {
    const at = (name: (typeof NUMBERS)[number]): number | null => {
      const value = row[name];
      return typeof value === 'number' ? value : null;
    };
    const [rowGroup, leaf, data, size] = [at('row_group_id'), at('column_id'), at('data_page_offset'), at('total_compressed_size')];
    const column = leaf === null ? undefined : columnOfLeaf[leaf];
    if (rowGroup === null || column === undefined || data === null || size === null) return null;
    // Some writers set 0 if there is no dictionary.
    const start = Math.min(at('dictionary_page_offset') || data, data);
    chunks.push({ rowGroup, column, start, end: start + size + PADDING });
    const [bloom, length] = [at('bloom_filter_offset'), at('bloom_filter_length')];
    if (bloom === null) continue;
    if (length === null) return null;
    chunks.push({ rowGroup, column, start: bloom, end: bloom + length });
  }
  return chunks;
}

/**
 * Fails with an EngineFailure, of class `parquet`, if a footer does not describe a column of a row group: the engine's reader,
 * which looks for its pages at the start of the file, never ends then, or ends the process (DuckDB 1.5.6).
 */
export async function refuseLostChunks(lease: EngineLease, files: readonly ReadFile[], signal: AbortSignal): Promise<void> {
  const isLost = `path_in_schema = '' AND total_compressed_size = 0 AND row_group_num_rows > 0`;
  const sql = `SELECT file_name FROM parquet_metadata(${fileList(files)}) WHERE ${isLost} LIMIT 1`;
  const [lost] = await readingParquet(lease, () => runStatement(lease, { sql, signal }));
  if (lost === undefined) return;
  const name = lost['file_name'];
  throw new EngineFailure('parquet', READ_MESSAGES.notOfFormat('Parquet'), typeof name === 'string' ? { sourcePath: name } : {});
}

function countLeaves({ children }: SchemaNode): number {
  return children.length === 0 ? 1 : children.reduce((sum, child) => sum + countLeaves(child), 0);
}
