import { GrowingBytes } from './growing-bytes.ts';

const MEGABYTE = 2 ** 20;

test.each([
  ['few bytes', [10, 0, 20]],
  ['as many as are joined', [MEGABYTE - 1, 1]],
  ['more of them', [MEGABYTE, 1, 5]],
  ['many', Array.from({ length: 80 }, () => 65_536)],
])('%s are those of the pieces, in their order', (_, sizes) => {
  const bytes = new GrowingBytes(8 * MEGABYTE);
  for (const round of [0, 100]) {
    const pieces = sizes.map((size, i) => Buffer.alloc(size, round + (i % 100)));
    for (const piece of pieces) {
      const lent = Buffer.from(piece);
      expect(bytes.add(lent)).toBe(true);
      lent.fill(255); // whoever gave it may use it again
    }
    const whole = Buffer.concat(pieces);
    expect(bytes.length).toBe(whole.length);
    expect(bytes.take().equals(whole)).toBe(true);
    expect(bytes.length).toBe(0);
  }
});

test.each([100, 3 * MEGABYTE])('bytes past a maximum of %i are not taken, and those before stay', (most) => {
  const bytes = new GrowingBytes(most);
  expect(bytes.add(Buffer.alloc(most - 1, 1))).toBe(true);
  expect(bytes.add(Buffer.alloc(2))).toBe(false);
  expect(bytes.add(Buffer.alloc(1, 2))).toBe(true);
  expect(bytes.take().at(-1)).toBe(2);
});

test('many bytes move to a thread without a copy', () => {
  const bytes = new GrowingBytes(4 * MEGABYTE);
  for (let i = 0; i < 3; i += 1) bytes.add(Buffer.alloc(MEGABYTE, i));
  const { buffer, byteLength } = bytes.take();
  expect(buffer.byteLength).toBe(byteLength);
  structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
  expect(buffer.byteLength).toBe(0);
});
