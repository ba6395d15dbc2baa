import kafkajs from 'kafkajs';

import { registerCodecs } from './codecs.ts';

interface Codec {
  readonly compress: (encoder: { readonly buffer: Buffer }) => Promise<Buffer>;
  readonly decompress: (bytes: Buffer) => Promise<Buffer>;
}

/** Compresses with a registered codec. */
function codecOf(type: kafkajs.CompressionTypes): Codec {
  registerCodecs();
  return (kafkajs.CompressionCodecs as unknown as Record<number, () => Codec>)[type]?.() as Codec; // as registered
}

const { GZIP, Snappy, ZSTD } = kafkajs.CompressionTypes;

test.each([
  ['gzip', GZIP],
  ['snappy', Snappy],
  ['zstd', ZSTD],
])('a batch of %s takes at most 64 MB when it is decompressed', async (_name, type) => {
  const { compress, decompress } = codecOf(type);
  const most = Buffer.alloc(64 * 1024 * 1024, 'a line ');
  expect((await decompress(await compress({ buffer: most }))).equals(most)).toBe(true);
  const larger = await compress({ buffer: Buffer.concat([most, Buffer.from('x')]) });
  await expect(decompress(larger)).rejects.toThrow('A batch of messages takes more than 64 MB when it is decompressed.');
});

test('a block of snappy that announces more than it has is refused before there is memory for it', async () => {
  const announced = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 0x61]);
  await expect(codecOf(Snappy).decompress(announced)).rejects.toThrow('takes more than 64 MB');
});
