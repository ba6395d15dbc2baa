import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';

// Node finds no names in this package but those of its types.
import kafkajs from 'kafkajs';
import lz4 from 'lz4-napi';
import snappy from 'snappy';

/** KafkaJS's interface of a codec. */
interface Codec {
  readonly compress: (encoder: { readonly buffer: Buffer }) => Promise<Buffer>;
  readonly decompress: (bytes: Buffer) => Promise<Buffer>;
}

const unzstd = promisify(zstdDecompress);
const zstd = promisify(zstdCompress);

/** Snappy as Java's clients write it: blocks, each with its length, behind a header that other clients leave out. */
const XERIAL = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const XERIAL_HEADER_BYTES = 16;

const CODECS: Readonly<Record<number, Codec>> = {
  [kafkajs.CompressionTypes.Snappy]: { compress: ({ buffer }) => snappy.compress(buffer), decompress: unsnappy },
  [kafkajs.CompressionTypes.LZ4]: {
    compress: ({ buffer }) => lz4.compressFrame(buffer),
    decompress: (bytes) => lz4.decompressFrame(bytes),
  },
  [kafkajs.CompressionTypes.ZSTD]: { compress: ({ buffer }) => zstd(buffer), decompress: (bytes) => unzstd(bytes) },
};

/** Registers all codecs of Kafka with KafkaJS, except gzip, which is built in. Idempotent. */
export function registerCodecs(): void {
  for (const [type, codec] of Object.entries(CODECS)) Reflect.set(kafkajs.CompressionCodecs, type, () => codec);
}

async function unsnappy(bytes: Buffer): Promise<Buffer> {
  if (!bytes.subarray(0, XERIAL.byteLength).equals(XERIAL)) return uncompress(bytes);
  const blocks: Buffer[] = [];
  for (let at = XERIAL_HEADER_BYTES; at < bytes.byteLength;) {
    const end = at + 4 + bytes.readInt32BE(at);
    blocks.push(await uncompress(bytes.subarray(at + 4, end)));
    at = end;
  }
  return Buffer.concat(blocks);
}

async function uncompress(block: Buffer): Promise<Buffer> {
  const bytes = await snappy.uncompress(block, { asBuffer: true });
  return typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
}
