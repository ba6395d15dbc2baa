import { brotliDecompressSync, constants, gunzipSync, zstdDecompressSync } from 'node:zlib';

import type { ContentEncoding, WorkTime } from './content-encoding.ts';
import { chooseEncoding, encodePieces, encodeWhole } from './content-encoding.ts';

/** For tests that do not measure time. */
const uncounted: WorkTime = { during: (work) => work() };

const ENCODINGS: readonly ContentEncoding[] = ['gzip', 'br', 'zstd'];

/** Decodes the part of a compressed body received so far. */
const decodeSoFar = {
  gzip: (bytes: Buffer) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  br: (bytes: Buffer) => brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: (bytes: Buffer) => zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush }),
} as const;

const decode = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync } as const;

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['deflate', null],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['identity;q=1, gzip;q=0.5', null],
  ['gzip;q=0', null],
  ['*', 'zstd'],
  ['*, zstd;q=0', 'br'],
  ['identity;q=0, compress', null],
])('Accept-Encoding %p gets %p', (header, expected) => {
  expect(chooseEncoding(header)).toBe(expected);
});

test.each(ENCODINGS)('%s: a whole body is read back', async (encoding) => {
  const bytes = Buffer.from('äöü😀\n'.repeat(5000));
  const encoded = await encodeWhole(bytes, encoding);
  expect(encoded.byteLength).toBeLessThan(bytes.byteLength / 10);
  expect(decode[encoding](encoded).equals(bytes)).toBe(true);
});

test.each(ENCODINGS)('%s: a reader has every piece as soon as it was given, and none is asked for before', async (encoding) => {
  let asked = 0;
  // Exceeds the buffers of a stream, and compresses badly.
  const pieces = Array.from({ length: 6 }, (_, i) => Buffer.from(Array.from({ length: 300_000 }, (__, k) => (k * k * (i + 3)) % 251)));
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      asked += 1;
      yield piece;
    }
  }
  const encoded: Uint8Array[] = [];
  const reader = encodePieces(source(), encoding, uncounted);
  for (let i = 1; i <= pieces.length; i += 1) {
    const next = await reader.next();
    encoded.push(next.value as Uint8Array);
    expect(asked).toBe(i);
    expect(decodeSoFar[encoding](Buffer.concat(encoded)).equals(Buffer.concat(pieces.slice(0, i)))).toBe(true);
  }
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) encoded.push(next.value);
  expect(decode[encoding](Buffer.concat(encoded)).equals(Buffer.concat(pieces))).toBe(true);
});

test.each(ENCODINGS)('%s: a body that fails has no end, and its source is closed', async (encoding) => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from('x'.repeat(10_000));
      throw new Error('broken');
    } finally {
      isClosed = true;
    }
  }
  const encoded: Uint8Array[] = [];
  const read = async (): Promise<void> => {
    for await (const piece of encodePieces(source(), encoding, uncounted)) encoded.push(piece);
  };
  await expect(read()).rejects.toThrow('broken');
  expect(isClosed).toBe(true);
  expect(() => decode[encoding](Buffer.concat(encoded))).toThrow(/unexpected end|incomplete|failed|Src size|not complete/i);
});

test.each(ENCODINGS)('%s: a reader that leaves closes the source', async (encoding) => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.from('x'.repeat(1000));
    } finally {
      isClosed = true;
    }
  }
  for await (const piece of encodePieces(source(), encoding, uncounted)) if (piece.byteLength > 0) break;
  expect(isClosed).toBe(true);
});

test.each(ENCODINGS)('%s: the time that compression takes counts, and that of source and reader does not', async (encoding) => {
  const events: string[] = [];
  const time: WorkTime = {
    during: async (work) => {
      events.push('begins');
      const result = await work();
      events.push('ends');
      return result;
    },
  };
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const piece of ['one', 'two']) {
      events.push('is asked');
      yield Buffer.from(piece.repeat(1000));
    }
  }
  for await (const piece of encodePieces(source(), encoding, time)) if (piece.byteLength > 0) events.push('is read');
  const counted = ['begins', 'ends', 'is read'];
  expect(events).toEqual(['is asked', ...counted, 'is asked', ...counted, ...counted]);
});
