import { inflateSnappy } from './snappy.ts';

const bytes = (...parts: readonly (number | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

test.each([
  ['a literal', bytes(3, 2 << 2, 'abc'), 'abc'],
  ['a long literal', bytes(70, 60 << 2, 69, 'x'.repeat(70)), 'x'.repeat(70)],
  ['a copy of one byte back that overlaps itself', bytes(8, 0, 'a', ((7 - 4) << 2) | 1, 1), 'aaaaaaaa'],
  ['a copy of two bytes of offset', bytes(6, 2 << 2, 'abc', (2 << 2) | 2, 3, 0), 'abcabc'],
  ['a copy of four bytes of offset', bytes(6, 2 << 2, 'abc', (2 << 2) | 3, 3, 0, 0, 0), 'abcabc'],
  ['nothing', bytes(0), ''],
])('%s is inflated', (_, input, text) => {
  expect(inflateSnappy(input, 100).toString()).toBe(text);
});

test.each([
  ['a literal that is cut off', bytes(3, 2 << 2, 'ab')],
  ['a copy of what is not there', bytes(4, 1, 9)],
  ['less than it says', bytes(5, 2 << 2, 'abc')],
  ['more than it says', bytes(2, 2 << 2, 'abc')],
  ['a length without end', bytes(0xff, 0xff, 0xff, 0xff, 0xff, 0xff)],
  ['no bytes', bytes()],
])('%s is refused', (_, input) => {
  expect(() => inflateSnappy(input, 100)).toThrow('it cannot be inflated');
});

test('more than is allowed is refused before it is inflated', () => {
  expect(() => inflateSnappy(bytes(0xff, 0xff, 0xff, 0x0f, 0), 2 ** 20)).toThrow('it is larger than 1 MB');
});
