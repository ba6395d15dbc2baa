import { parseDecimal, printDecimal } from './decimal-text.ts';

test.each([
  ['1.500', '1.5'],
  ['100', '100'],
  ['-0.10e1', '-1'],
  ['000', '0'],
  ['1e2', '100'],
  ['120e-1', '12'],
])('%s is %s', (text, printed) => {
  const decimal = parseDecimal(text);
  expect(decimal === undefined ? undefined : printDecimal(decimal)).toBe(printed);
});

it('reads long runs of zeros in even time', () => {
  const zeros = '0'.repeat(200_000);
  const start = performance.now();
  expect(parseDecimal(`${zeros}1.${zeros}`)).toEqual({ isNegative: false, digits: '1', scale: 0 });
  expect(parseDecimal(`0.${zeros}1`)).toBeUndefined();
  expect(parseDecimal(`1${zeros}1`)).toBeUndefined();
  expect(parseDecimal(`${zeros}x`)).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(5_000);
});
