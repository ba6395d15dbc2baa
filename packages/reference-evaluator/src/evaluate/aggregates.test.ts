import { AGGREGATES } from './aggregates.ts';

test('equal values have no variance, whatever their mean is rounded to', () => {
  const equal = Array.from({ length: 35 }, () => -14_182_939.999999);
  expect(AGGREGATES['VARIANCE']?.(equal, Number.NaN)).toBe(0);
  expect(AGGREGATES['STDDEV']?.(equal, Number.NaN)).toBe(0);
  expect(AGGREGATES['VARIANCE']?.([1n, 2n, 4n], Number.NaN)).toBeCloseTo(7 / 3, 12);
  expect(AGGREGATES['VARIANCE']?.([1n], Number.NaN)).toBeNull();
});
