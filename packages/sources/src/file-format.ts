import { open } from 'node:fs/promises';
import { constants, gunzip } from 'node:zlib';

import type { FoundFile } from './transports/find-files.ts';

/** How a file's content is written. */
export type FileFormat = 'csv' | 'json' | 'parquet';
export type Compression = 'gzip' | 'zstd';

const BY_EXTENSION: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  geojson: 'json',
  parquet: 'parquet',
  pq: 'parquet',
};

const LOOK_BYTES = 4096;

/** What a file's name and first bytes tell of it; the name wins. */
export async function lookAtFile(file: FoundFile): Promise<{ readonly format: FileFormat; readonly compression: Compression | null }> {
  const head = await readHead(file.path);
  const compression = compressionOf(head);
  const name = file.path.toLowerCase().replace(/\.(gz|gzip|zst|zstd)$/, '');
  const known = BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1)];
  if (known !== undefined) return { format: known, compression };
  const text = compression === 'gzip' ? await inflateHead(head) : head;
  return { format: formatOf(text), compression };
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(LOOK_BYTES), 0, LOOK_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function compressionOf(head: Buffer): Compression | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528 ? 'zstd' : null;
}

/** The beginning of what a gzip file holds: its end is missing, which is no fault here. */
function inflateHead(head: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    gunzip(head, { finishFlush: constants.Z_SYNC_FLUSH }, (error, text) => resolve(error === null ? text : Buffer.alloc(0)));
  });
}

function formatOf(head: Buffer): FileFormat {
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet';
  return /^\s*[[{]/.test(head.toString('utf8').replace(/^\uFEFF/, '')) ? 'json' : 'csv';
}
