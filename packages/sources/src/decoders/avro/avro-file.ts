import { promisify } from 'node:util';
import { inflateRaw, zstdDecompress } from 'node:zlib';

import { type Compression, isReadFailure, readBytes, ReadFailure } from '@svc/text-formats';

import { AvroBytes } from './avro-bytes.ts';
import { avroShape } from './avro-schema.ts';
import type { AvroShape } from './avro-shape.ts';
import { ByteReader } from './byte-reader.ts';
import { JsonLines, PIECE_BYTES } from '../json-lines.ts';
import { inflateSnappy } from './snappy.ts';

/** A block of records, as it lies in the file and inflated, at most. */
const MAX_BLOCK_BYTES = 64 * 2 ** 20;

/** An Avro file on the local disk. */
export interface AvroFile {
  readonly path: string;
  readonly compression: Compression | null;
}

type Inflate = (bytes: Buffer) => Promise<Buffer>;
const limit = { maxOutputLength: MAX_BLOCK_BYTES } as const;
const [inflateAsync, zstdAsync] = [promisify(inflateRaw), promisify(zstdDecompress)];

const CODECS: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ['null', async (bytes) => bytes],
  ['deflate', async (bytes) => inflateAsync(bytes, limit)],
  ['zstandard', async (bytes) => zstdAsync(bytes, limit)],
  // Four bytes of checksum follow.
  ['snappy', async (bytes) => inflateSnappy(bytes.subarray(0, -4), MAX_BLOCK_BYTES)],
]);

/** A file that has been opened: its shape is known, and its values are still to be read. */
export interface OpenedAvro {
  readonly shape: AvroShape;
  /** Lines of JSON, some at a time. Fails with a ReadFailure that names the block. */
  readonly lines: AsyncIterable<Uint8Array>;
  /** For callers that do not read the lines: leaving an iterator before its start has no effect. */
  readonly close: () => Promise<void>;
}

const MAGIC = 'Obj\u0001';
const SYNC_BYTES = 16;
const MAX_HEADER_BYTES = 16 * 2 ** 20;
/** Minimum size counted for a part of the header. */
const LEAST_PART_BYTES = 256;

/** Reads the header of an Avro file. The caller must read the lines or close it. Fails with a ReadFailure. */
export async function openAvroFile(file: AvroFile, signal: AbortSignal): Promise<OpenedAvro> {
  const bytes = new ByteReader(readBytes(file.path, file.compression, signal));
  try {
    if ((await bytes.take(4)).toString('latin1') !== MAGIC) throw new ReadFailure('unreadable', 'the file is no Avro file');
    const meta = await readMeta(bytes);
    const sync = await bytes.take(SYNC_BYTES);
    const codec = meta.get('avro.codec')?.toString() ?? 'null';
    const inflate = CODECS.get(codec);
    if (inflate === undefined)
      throw new ReadFailure('unreadable', `the codec ${codec} is not known: expected ${[...CODECS.keys()].join(', ')}`);
    const shape = readSchema(meta.get('avro.schema')?.toString() ?? '');
    return { shape, lines: readBlocks(bytes, { sync, inflate, shape }), close: () => bytes.close() };
  } catch (thrown) {
    await bytes.close();
    throw isReadFailure(thrown) ? new ReadFailure(thrown.failureClass, thrown.message, { sourcePath: file.path, cause: thrown }) : thrown;
  }
}

function readSchema(text: string): AvroShape {
  try {
    return avroShape(JSON.parse(text));
  } catch (thrown) {
    if (isReadFailure(thrown)) throw thrown;
    throw new ReadFailure('unreadable', 'the schema of the file cannot be understood', { cause: thrown });
  }
}

async function readMeta(bytes: ByteReader): Promise<ReadonlyMap<string, Buffer>> {
  const meta = new Map<string, Buffer>();
  let left = MAX_HEADER_BYTES;
  const takeBytes = async (): Promise<Buffer> => {
    const part = await bytes.take(await bytes.takeLong(), left);
    left -= Math.max(part.length, LEAST_PART_BYTES);
    return part;
  };
  for (;;) {
    let count = await bytes.takeLong();
    if (count === 0) return meta;
    if (count < 0) {
      await bytes.takeLong();
      count = -count;
    }
    for (let i = 0; i < count; i += 1) meta.set((await takeBytes()).toString(), await takeBytes());
  }
}

interface Blocks {
  readonly sync: Buffer;
  readonly inflate: Inflate;
  readonly shape: AvroShape;
}

async function* readBlocks(bytes: ByteReader, { sync, inflate, shape }: Blocks): AsyncGenerator<Uint8Array> {
  let block = 0;
  try {
    while (!(await bytes.isAtEnd())) {
      block += 1;
      const count = await bytes.takeLong();
      const data = await inflate(await bytes.take(await bytes.takeLong(), MAX_BLOCK_BYTES));
      yield* linesOf(new AvroBytes(data), count, shape);
      if (!sync.equals(await bytes.take(SYNC_BYTES))) throw new ReadFailure('unreadable', 'it does not end as the file says');
    }
  } catch (thrown) {
    if (isReadFailure(thrown) && thrown.failureClass !== 'unreadable') throw thrown;
    throw new ReadFailure('unreadable', `block ${block}: ${reasonOf(thrown)}`, { cause: thrown });
  } finally {
    await bytes.close();
  }
}

function reasonOf(thrown: unknown): string {
  if (isReadFailure(thrown)) return thrown.message;
  const isTooLarge = typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';
  return isTooLarge ? `it is larger than ${MAX_BLOCK_BYTES / 2 ** 20} MB` : 'it cannot be read';
}

function* linesOf(bytes: AvroBytes, count: number, shape: AvroShape): Generator<Uint8Array> {
  const lines = new JsonLines();
  let i = 1;
  try {
    for (; i <= count; i += 1) {
      shape.write(bytes, lines);
      lines.endLine();
      if (lines.size >= PIECE_BYTES) yield lines.take();
    }
  } catch (thrown) {
    throw isReadFailure(thrown)
      ? new ReadFailure(thrown.failureClass, `value ${i} of ${count}: ${thrown.message}`, { cause: thrown })
      : thrown;
  }
  if (lines.size > 0) yield lines.take();
}
