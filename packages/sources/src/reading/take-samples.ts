import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { constants, createGunzip } from 'node:zlib';

import { mapAtOnce, mapInTurns } from '@svc/concurrency';
import { DEFAULT_SAMPLE_SIZE } from '@svc/query-engine';
import type { ReadNeed } from '@svc/query-language';
import { createZstdDecoder } from '@svc/zstd';

import type { FileFormat } from '../file-format.ts';
import { compressionOf, markOf } from '../file-format.ts';
import type { Copy, Spool } from '../spool/spool.ts';
import { readsExactly } from '../transports/read-exactly.ts';
import { SourceFailure } from '../transports/source-failure.ts';
import type { FoundObject, RemoteObject } from '../transports/transport.ts';
import { TooManyFiles } from '../transports/walk-pattern.ts';
import { footerOf, LEAST_FOOTER_BYTES } from './parquet/footer.ts';
import type { QueryReading } from './query-reading.ts';
import type { SampleFile, SourceFile } from './source-file.ts';

/** Bytes fetched of the first object for inspection, enough for the default sample of rows. */
export const SAMPLE_BYTES = 2 ** 20;
/** Of each further object. */
const FURTHER_SAMPLE_BYTES = 2 ** 16;
/** Limit after decompression. */
const MOST_SAMPLED_BYTES = 2 ** 23;
const FETCHED_AT_ONCE = 8;
const OPENED_AT_ONCE = 64;

interface Sampling {
  readonly spool: Spool;
  readonly reading: QueryReading;
  readonly signal: AbortSignal;
}

/** Converts objects to files without inspecting them. */
export async function asFiles(objects: readonly FoundObject[], spool: Spool): Promise<readonly SourceFile[]> {
  return mapInTurns(objects, (object): SourceFile => {
    const { location, name, identity, bytes } = object;
    const size = object.size ?? Infinity;
    const copy =
      bytes.kind === 'local'
        ? linkedFile(object, bytes.path)
        : bytes.kind === 'fetched'
          ? fetchedCopy(object)
          : copyOf({ ...object, bytes });
    return { path: spool.pathOf(copy), location, name, size, identity, copy };
  });
}

/**
 * Converts objects to files that can be inspected, with samples of remote ones. `format` is the format of all of them, if it
 * is known in advance. Samples stay until the query ends.
 */
export async function takeSamples(
  objects: readonly FoundObject[],
  at: Sampling & { readonly options: ReadNeed['options']; readonly formatOf: (name: string) => FileFormat | null },
): Promise<readonly SourceFile[]> {
  if (objects.filter(({ bytes }) => bytes.kind === 'local').length > at.spool.mostOpenFiles) throw new TooManyFiles(at.spool.mostOpenFiles);
  const files = await asFiles(objects, at.spool);
  const areLocal = objects.every(({ bytes }) => bytes.kind === 'local');
  return mapAtOnce(files, areLocal ? OPENED_AT_ONCE : FETCHED_AT_ONCE, async (file, i) => {
    const object = objects[i];
    if (object?.bytes.kind === 'local' && file.copy !== undefined) at.reading.keep(await at.spool.hold(file.copy, at.signal));
    if (object?.bytes.kind !== 'remote' || file.copy === undefined) return file;
    const sample = await takeSample({ ...object, bytes: object.bytes }, { ...at, copy: file.copy, most: sampleBytes(at.options, i === 0) });
    return sample === null ? file : { ...file, sample };
  });
}

/** More rows are more bytes. */
function sampleBytes({ sample_size: told }: ReadNeed['options'], isFirst: boolean): number {
  const bytes = isFirst ? SAMPLE_BYTES : FURTHER_SAMPLE_BYTES;
  if (typeof told !== 'number') return bytes;
  return told < 0 ? Infinity : bytes * Math.max(1, told / DEFAULT_SAMPLE_SIZE);
}

/** Holds a sample of an object; null if that would be all of it. */
async function takeSample(
  object: RemoteObject,
  at: Sampling & { readonly copy: Copy; readonly most: number; readonly formatOf: (name: string) => FileFormat | null },
): Promise<SampleFile | null> {
  const { spool, reading, signal, copy, most } = at;
  const format = at.formatOf(object.name);
  const isSmall = (object.size ?? Infinity) <= Math.max(most, format === 'parquet' ? LEAST_FOOTER_BYTES : 0);
  const isNeededWhole = format === 'excel' || (format === 'parquet' && !hasFooter(object));
  if (isSmall || isNeededWhole || most === Infinity) {
    reading.keep(await spool.hold(copy, signal));
    return null;
  }
  if (format === 'parquet') return holdFooter(object, at);
  const raw = rawBeginningOf(object, most);
  const rawPath = spool.pathOf(raw);
  reading.keep(await spool.hold(raw, signal));
  const beginning: Copy = {
    key: `lines ${raw.key}`,
    pieces: async function* () {
      yield await linesOf(await readFile(rawPath));
    },
  };
  reading.keep(await spool.hold(beginning, signal));
  return { path: spool.pathOf(beginning), kind: 'beginning', rawPath, copies: [raw, beginning] };
}

/** Holds the footer of an object identified as Parquet, or the whole object if the footer cannot be fetched. */
export async function takeFooter(object: FoundObject, file: SourceFile, { spool, reading, signal }: Sampling): Promise<SourceFile> {
  if (object.bytes.kind !== 'remote' || file.copy === undefined || file.sample?.kind !== 'beginning') return file;
  const remote = { ...object, bytes: object.bytes };
  const { sample: _, ...plain } = file;
  if (!hasFooter(remote)) {
    reading.keep(await spool.hold(file.copy, signal));
    return plain;
  }
  return { ...plain, sample: await holdFooter(remote, { spool, reading, signal }) };
}

async function holdFooter(object: RemoteObject, { spool, reading, signal }: Sampling): Promise<SampleFile> {
  const footer = footerOf(object);
  const path = spool.pathOf(footer);
  reading.keep(await spool.hold(footer, signal));
  return { path, kind: 'footer', rawPath: path, copies: [footer] };
}

function linkedFile({ identity, location }: FoundObject, path: string): Copy {
  return { key: `file ${identity}`, file: { path, location } };
}

function fetchedCopy({ identity, location }: FoundObject): Copy {
  return {
    key: copyKeyOf(identity),
    pieces: () => {
      throw new SourceFailure('changed', `${location}: what was read is no longer there`);
    },
  };
}

/** Returns the key of a whole object's copy, by its identity. */
export function copyKeyOf(identity: string): string {
  return `object ${identity}`;
}

function copyOf({ identity, size, location, bytes }: RemoteObject): Copy {
  return {
    key: copyKeyOf(identity),
    pieces: (signal) => readsExactly(bytes.open(null, signal), { bytes: size, location }),
    ...(size === null ? {} : { bytes: size }),
  };
}

function rawBeginningOf({ identity, bytes }: RemoteObject, most: number): Copy {
  return {
    key: `beginning ${most} ${identity}`,
    pieces: async function* (signal) {
      const range = bytes.hasRanges ? { start: 0, end: Math.ceil(most) } : null;
      yield await firstBytes(bytes.open(range, signal), most);
    },
  };
}

async function linesOf(raw: Buffer): Promise<Buffer> {
  const compression = compressionOf(raw);
  return wholeLines(compression === null ? raw : await decompressed(raw, compression));
}

async function firstBytes(pieces: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let left = most;
  for await (const piece of pieces) {
    kept.push(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0) break;
  }
  return Buffer.concat(kept);
}

/** Decompresses the beginning of a compressed object; truncation is not an error. */
async function decompressed(raw: Buffer, compression: 'gzip' | 'zstd'): Promise<Buffer> {
  const stream =
    compression === 'gzip'
      ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
      : createZstdDecoder({ finishFlush: constants.ZSTD_e_flush });
  const kept: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    kept.push(chunk);
    length += chunk.length;
    if (length >= MOST_SAMPLED_BYTES) stream.destroy();
  });
  const closed = once(stream, 'close').catch(() => undefined);
  stream.end(raw);
  await closed;
  return Buffer.concat(kept);
}

const [LINE_FEED, QUOTE] = [0x0a, 0x22];

/** Cuts after the last line break outside quotes. Returns all bytes if there is none. Characters of UTF-16 stay complete. */
function wholeLines(bytes: Buffer): Buffer {
  if (markOf(bytes) === 'utf-16') return bytes.subarray(0, bytes.length - (bytes.length % 2));
  let [isQuoted, end] = [false, -1];
  for (let i = 0; i < bytes.length; i += 1) {
    if (bytes[i] === QUOTE) isQuoted = !isQuoted;
    else if (bytes[i] === LINE_FEED && !isQuoted) end = i;
  }
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

function hasFooter({ size, bytes }: RemoteObject): boolean {
  return size !== null && bytes.hasRanges;
}
