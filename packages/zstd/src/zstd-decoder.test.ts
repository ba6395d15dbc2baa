import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib';

import { createZstdDecoder } from './zstd-decoder.ts';

const CHECKSUM = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
const text = (line: string, count: number): Buffer => Buffer.from(`${line}\n`.repeat(count));

/** Content of frames of every form: with and without checksum, raw, compressed and run-length blocks, of unknown length. */
const CONTENTS = [text('a', 1), Buffer.alloc(0), text('some line', 50_000), randomBytes(300_000), Buffer.alloc(400_000, 7), text('z', 300)];

async function frames(): Promise<readonly Buffer[]> {
  const skippable = Buffer.concat([Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0]), Buffer.from('abc')]);
  // Of bytes, since no encoding was set.
  const streamed = (await Readable.from([text('streamed', 40_000)])
    .pipe(createZstdCompress(CHECKSUM))
    .toArray()) as readonly Buffer[];
  return [skippable, ...CONTENTS.map((content, i) => zstdCompressSync(content, i % 2 === 0 ? CHECKSUM : {})), skippable, ...streamed];
}

const expected = Buffer.concat([...CONTENTS, text('streamed', 40_000)]);

async function decode(bytes: Buffer, chunkBytes: number): Promise<Buffer> {
  const chunks = Array.from({ length: Math.ceil(bytes.byteLength / chunkBytes) }, (_, i) =>
    bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
  return Buffer.concat((await Readable.from(chunks).pipe(createZstdDecoder()).toArray()) as readonly Buffer[]);
}

test.each([Infinity, 65_536, 1009, 61])('all frames are decoded, in chunks of %p bytes', async (chunkBytes) => {
  const bytes = Buffer.concat(await frames());
  const decoded = await decode(bytes, Math.min(chunkBytes, bytes.byteLength));
  expect(decoded.equals(expected)).toBe(true);
});

test.each([Infinity, 7, 1])(
  'bytes after a frame that are none, and frames that are cut, are errors, in chunks of %p bytes',
  async (chunkBytes) => {
    const frame = zstdCompressSync(text('a line', 5));
    const broken = [
      [Buffer.concat([frame, Buffer.from('no frame')]), 'ZSTD_error_prefix_unknown'],
      [Buffer.concat([frame, frame.subarray(0, -1)]), 'Z_BUF_ERROR'],
      [Buffer.concat([frame, frame.subarray(0, 6)]), 'Z_BUF_ERROR'],
      [frame.subarray(0, 3), 'Z_BUF_ERROR'],
    ] as const;
    for (const [bytes, code] of broken) await expect(decode(bytes, Math.min(chunkBytes, bytes.byteLength))).rejects.toMatchObject({ code });
  },
);
