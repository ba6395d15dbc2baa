import { FileSpace } from './file-space.ts';

test('a file has its share, whatever others take, and large ones have the rest in common', () => {
  const space = new FileSpace({ bytes: 100, files: 5 });
  const [large, other, small] = [space.claim(), space.claim(), space.claim()];
  expect([large.grow(10), large.grow(60), large.grow(61)]).toEqual([true, true, false]);
  expect([other.grow(11), small.grow(10)]).toEqual([false, true]);
  large.release();
  large.release();
  expect([other.grow(60), other.grow(61), small.grow(11)]).toEqual([true, false, false]);
  expect([other.grow(30), small.grow(40), small.grow(41)]).toEqual([true, true, false]);
});
