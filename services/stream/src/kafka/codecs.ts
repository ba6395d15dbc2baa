import { promisify } from 'node:util';
import { gzip, unzip, zstdCompress, zstdDecompress } from 'node:zlib';

// Node finds no names in this package but those of its types.
import kafkajs from 'kafkajs';
import lz4 from 'lz4-napi';
import snappy from 'snappy';

import { KafkaProblem } from './kafka-problem.ts';

/** KafkaJS's interface of a codec. */
interface Codec {
  readonly compress: (encoder: { readonly buffer: Buffer }) => Promise<Buffer>;
  readonly decompress: (bytes: Buffer) => Promise<Buffer>;
}

/** Limit of a batch after decompression, far above the size to which producers fill theirs. */
const MOST_BATCH_MEGABYTES = 64;
const MOST_BATCH_BYTES = MOST_BATCH_MEGABYTES * 1024 * 1024;
const LIMIT = { maxOutputLength: MOST_BATCH_BYTES };

const [zip, unzipped] = [promisify(gzip), promisify(unzip)];
const [zstd, unzstd] = [promisify(zstdCompress), promisify(zstdDecompress)];

/** Snappy as Java's clients write it: blocks, each with its length, behind a header that other clients leave out. */
const XERIAL = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const XERIAL_HEADER_BYTES = 16;

const CODECS: Readonly<Record<number, Codec>> = {
  [kafkajs.CompressionTypes.GZIP]: { compress: ({ buffer }) => zip(buffer), decompress: (bytes) => unlessLarge(unzipped(bytes, LIMIT)) },
  [kafkajs.CompressionTypes.Snappy]: { compress: ({ buffer }) => snappy.compress(buffer), decompress: unsnappy },
  [kafkajs.CompressionTypes.LZ4]: {
    compress: ({ buffer }) => lz4.compressFrame(buffer),
    decompress: (bytes) => lz4.decompressFrame(bytes),
  },
  [kafkajs.CompressionTypes.ZSTD]: { compress: ({ buffer }) => zstd(buffer), decompress: (bytes) => unlessLarge(unzstd(bytes, LIMIT)) },
};

/** Registers all codecs of Kafka with KafkaJS, whose own has no limit. Idempotent. */
export function registerCodecs(): void {
  for (const [type, codec] of Object.entries(CODECS)) Reflect.set(kafkajs.CompressionCodecs, type, () => codec);
}

async function unlessLarge(decompressed: Promise<Buffer>): Promise<Buffer> {
  return decompressed.catch((thrown: NodeJS.ErrnoException) => {
    throw thrown.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(thrown) : thrown;
  });
}

function tooLarge(cause?: unknown): KafkaProblem {
  return new KafkaProblem('refused', `A batch of messages takes more than ${MOST_BATCH_MEGABYTES} MB when it is decompressed.`, cause);
}

async function unsnappy(bytes: Buffer): Promise<Buffer> {
  if (!bytes.subarray(0, XERIAL.byteLength).equals(XERIAL)) return uncompress(bytes);
  const blocks: Buffer[] = [];
  let size = 0;
  for (let at = XERIAL_HEADER_BYTES; at < bytes.byteLength;) {
    const end = at + 4 + bytes.readInt32BE(at);
    const block = await uncompress(bytes.subarray(at + 4, end));
    size += block.byteLength;
    if (size > MOST_BATCH_BYTES) throw tooLarge();
    blocks.push(block);
    at = end;
  }
  return Buffer.concat(blocks);
}

async function uncompress(block: Buffer): Promise<Buffer> {
  if (uncompressedLength(block) > MOST_BATCH_BYTES) throw tooLarge();
  const bytes = await snappy.uncompress(block, { asBuffer: true });
  return typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
}

/** Returns the length that a block of Snappy begins with, in groups of 7 bits, the lowest first. */
function uncompressedLength(block: Buffer): number {
  let length = 0;
  for (const [i, byte] of block.subarray(0, 5).entries()) {
    length += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) break;
  }
  return length;
}
