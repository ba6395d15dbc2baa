import { type Compression, readBytes } from '@svc/text-formats';

import { readFirstBytes } from './decoders/decode-text.ts';
import { foreignFormat } from './foreign-format.ts';
import type { SourceFile } from './reading/source-file.ts';

/** Format of a file's content. */
export type FileFormat = 'csv' | 'json' | 'parquet' | 'xml' | 'avro' | 'excel' | 'text' | 'lines' | 'binary';

/** Properties of a file, from its name and first bytes. */
export interface LookedFile {
  /** Null if unknown. The name takes precedence over the bytes. */
  readonly format: FileFormat | null;
  readonly compression: Compression | null;
  /** Returns the encoding of a byte order mark. */
  readonly mark: 'utf-8' | 'utf-16' | null;
  /** Encoding of its XML declaration, in lower case. */
  readonly declared: string | null;
  /** What it is, if its first bytes are those of a format that is not read. */
  readonly foreign: string | null;
  /** True if it starts like an HTML page. */
  readonly isPage: boolean;
}

const BY_EXTENSION: ReadonlyMap<string, FileFormat> = new Map([
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['tab', 'csv'],
  ['json', 'json'],
  ['jsonl', 'json'],
  ['ndjson', 'json'],
  ['geojson', 'json'],
  ['parquet', 'parquet'],
  ['pq', 'parquet'],
  ['xml', 'xml'],
  ['avro', 'avro'],
  ['xlsx', 'excel'],
  ['xlsm', 'excel'],
]);

const LOOK_BYTES = 4096;

/** Returns the format of a name's extension, also of a compressed file; null if it is unknown. */
export function formatOfName(name: string): FileFormat | null {
  const plain = name.toLowerCase().replace(/\.(gz|gzip|zst|zstd)$/, '');
  return BY_EXTENSION.get(plain.slice(plain.lastIndexOf('.') + 1)) ?? null;
}

/** Inspects a file's name and first bytes. Fails with a ReadFailure if it cannot be read. */
export async function lookAtFile(file: Pick<SourceFile, 'path' | 'name'>, signal: AbortSignal): Promise<LookedFile> {
  const raw = await readFirstBytes(file.path, LOOK_BYTES, signal);
  const compression = compressionOf(raw);
  const head = compression === null ? raw : await decompressedHead(file.path, compression, signal).catch(() => Buffer.alloc(0));
  return {
    format: formatOfName(file.name ?? file.path) ?? formatOf(head),
    compression,
    mark: markOf(head),
    declared: declaredOf(head),
    foreign: foreignFormat(head),
    isPage: isPage(head),
  };
}

async function decompressedHead(path: string, compression: Compression, signal: AbortSignal): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of readBytes(path, compression, signal)) {
    pieces.push(piece);
    length += piece.length;
    if (length >= LOOK_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, LOOK_BYTES);
}

/** Returns the compression by its signature. */
export function compressionOf(head: Buffer): Compression | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528 ? 'zstd' : null;
}

function isPage(head: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)[\s>]/i.test(head.toString('latin1'));
}

/** Returns the encoding of a byte order mark. */
export function markOf(head: Buffer): LookedFile['mark'] {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff) ? 'utf-16' : null;
}

/** A declared UTF-16 is ignored: UTF-16 is identified by its mark, and this declaration is readable as ASCII. */
function declaredOf(head: Buffer): string | null {
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/.exec(head.toString('latin1'))?.[1]?.toLowerCase();
  return declared === undefined || declared.startsWith('utf-16') ? null : declared;
}

function formatOf(head: Buffer): FileFormat | null {
  const start = head.subarray(0, 4).toString('latin1');
  if (start === 'PAR1') return 'parquet';
  if (start === 'Obj\u0001') return 'avro';
  const mark = markOf(head);
  if (mark !== 'utf-16' && head.includes(0)) return null;
  const text = new TextDecoder(head[0] === 0xfe ? 'utf-16be' : mark === 'utf-16' ? 'utf-16le' : 'utf-8').decode(head);
  if (/^\s*[[{]/.test(text)) return 'json';
  return /^\s*<[?!A-Za-z_]/.test(text) ? 'xml' : 'csv';
}
