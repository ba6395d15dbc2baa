import { promisify } from 'node:util';
import { inflateRaw, zstdDecompress } from 'node:zlib';

import type { Compression } from '@svc/query-engine';
import { EngineFailure, isEngineFailure } from '@svc/query-engine';
import type { Schema, Type } from 'avsc';
import avro from 'avsc';

import { readBytes } from '../decode-text.ts';
import { avroShape } from './avro-schema.ts';
import type { AvroShape } from './avro-schema.ts';
import { ByteReader } from './byte-reader.ts';
import { inflateSnappy } from './snappy.ts';

/** A block of records that is inflated at once, at most. */
const MAX_BLOCK_BYTES = 256 * 2 ** 20;

export interface AvroFile {
  readonly path: string;
  readonly compression: Compression | null;
}

/** 64 bits do not fit a number. */
const LONG = avro.types.LongType.__with({
  fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(value);
    return buffer;
  },
  fromJSON: BigInt,
  toJSON: Number,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (a: bigint, b: bigint) => (a === b ? 0 : a < b ? -1 : 1),
});

type Inflate = (bytes: Buffer) => Promise<Buffer>;
const limit = { maxOutputLength: MAX_BLOCK_BYTES } as const;
const [inflateAsync, zstdAsync] = [promisify(inflateRaw), promisify(zstdDecompress)];

const CODECS: Readonly<Record<string, Inflate>> = {
  deflate: (bytes) => inflateAsync(bytes, limit),
  zstandard: (bytes) => zstdAsync(bytes, limit),
  // Four bytes of checksum follow.
  snappy: async (bytes) => inflateSnappy(bytes.subarray(0, -4), MAX_BLOCK_BYTES),
};

/** A file that has been opened: its shape is known, and its values are still to be read. */
export interface OpenedAvro {
  readonly shape: AvroShape;
  /** Lines of JSON, those of a block at a time. Fails with an EngineFailure that names the block. */
  readonly lines: AsyncGenerator<string>;
}

const MAGIC = 'Obj\u0001';
const SYNC_BYTES = 16;
const MAX_HEADER_BYTES = 16 * 2 ** 20;

/** Reads the header of an Avro file. Whoever opens it reads the lines, or ends them. Fails with an EngineFailure. */
export async function openAvroFile(file: AvroFile, signal: AbortSignal): Promise<OpenedAvro> {
  const bytes = new ByteReader(readBytes(file.path, file.compression, signal));
  try {
    if ((await bytes.take(4)).toString('latin1') !== MAGIC) throw new EngineFailure('unreadable', 'the file is no Avro file');
    const meta = await readMeta(bytes);
    const sync = await bytes.take(SYNC_BYTES);
    const codec = meta.get('avro.codec')?.toString() ?? 'null';
    const inflate = CODECS[codec];
    if (codec !== 'null' && inflate === undefined)
      throw new EngineFailure('unreadable', `the codec ${codec} is not known: expected null, ${Object.keys(CODECS).join(', ')}`);
    const { shape, type } = readSchema(meta.get('avro.schema')?.toString() ?? '');
    const lines = readBlocks(bytes, { sync, inflate: inflate ?? (async (block) => block), shape, type });
    return { shape, lines };
  } catch (thrown) {
    await bytes.close();
    throw isEngineFailure(thrown)
      ? new EngineFailure(thrown.failureClass, thrown.message, { sourcePath: file.path, cause: thrown })
      : thrown;
  }
}

function readSchema(text: string): { readonly shape: AvroShape; readonly type: Type } {
  try {
    const schema: unknown = JSON.parse(text);
    const type = avro.Type.forSchema(withPlainLongs(schema) as Schema, { registry: { long: LONG }, wrapUnions: 'always' } as never);
    return { shape: avroShape(schema), type };
  } catch (thrown) {
    if (isEngineFailure(thrown)) throw thrown;
    throw new EngineFailure('unreadable', 'the schema of the file cannot be understood', { cause: thrown });
  }
}

/** The library takes our long only where it is written as a mere name. */
function withPlainLongs(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withPlainLongs);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = schema as Readonly<Record<string, unknown>>;
  if (parts['type'] === 'long') return 'long';
  const { fields } = parts;
  return {
    ...Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, SCHEMA_PARTS.has(key) ? withPlainLongs(part) : part])),
    ...(Array.isArray(fields)
      ? { fields: fields.map((field: { readonly type: unknown }) => ({ ...field, type: withPlainLongs(field.type) })) }
      : {}),
  };
}

/** Where schemas stand within a schema, besides its fields; a default value is none. */
const SCHEMA_PARTS: ReadonlySet<string> = new Set(['type', 'items', 'values']);

async function readMeta(bytes: ByteReader): Promise<ReadonlyMap<string, Buffer>> {
  const meta = new Map<string, Buffer>();
  for (;;) {
    let count = await bytes.takeLong();
    if (count === 0) return meta;
    if (count < 0) {
      await bytes.takeLong();
      count = -count;
    }
    for (let i = 0; i < count; i += 1) {
      const key = await bytes.take(await bytes.takeLong(), MAX_HEADER_BYTES);
      meta.set(key.toString(), await bytes.take(await bytes.takeLong(), MAX_HEADER_BYTES));
    }
  }
}

interface Blocks {
  readonly sync: Buffer;
  readonly inflate: Inflate;
  readonly shape: AvroShape;
  readonly type: Type;
}

async function* readBlocks(bytes: ByteReader, { sync, inflate, shape, type }: Blocks): AsyncGenerator<string> {
  let block = 0;
  try {
    while (!(await bytes.isAtEnd())) {
      block += 1;
      const count = await bytes.takeLong();
      const data = await inflate(await bytes.take(await bytes.takeLong(), MAX_BLOCK_BYTES));
      yield* valuesOf(data, { count, shape, type });
      if (!sync.equals(await bytes.take(SYNC_BYTES))) throw new EngineFailure('unreadable', 'it does not end as the file says');
    }
  } catch (thrown) {
    if (isEngineFailure(thrown) && thrown.failureClass !== 'unreadable') throw thrown;
    const reason = isEngineFailure(thrown) ? thrown.message : 'it cannot be read';
    throw new EngineFailure('unreadable', `block ${block}: ${reason}`, { cause: thrown });
  } finally {
    await bytes.close();
  }
}

const PIECE_CHARACTERS = 2 ** 18;

function* valuesOf(data: Buffer, { count, shape, type }: Pick<Blocks, 'shape' | 'type'> & { readonly count: number }): Generator<string> {
  let [piece, offset] = ['', 0];
  for (let i = 0; i < count; i += 1) {
    const decoded = type.decode(data, offset);
    if (decoded.offset < 0) throw new EngineFailure('unreadable', `it ends within value ${i + 1} of ${count}`);
    offset = decoded.offset;
    piece += `${shape.toJson(decoded.value)}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
