import { calculate } from './numbers.ts';
import { Unpromised } from './value.ts';

test('a remainder of doubles is promised only where the rounding of its operands cannot be seen in it', () => {
  const remainder = (a: number, b: number) => calculate('%', a, b, 'double');
  expect([remainder(7.5, 2), remainder(-7.5, 2.5), remainder(0.1, 3), remainder(1, Number.POSITIVE_INFINITY)]).toEqual([1.5, -0, 0.1, 1]);
  expect(remainder(1, 0)).toBeNaN();
  expect(() => remainder(0.5, 4.97e-11)).toThrow(Unpromised);
  expect(() => remainder(0.3, 0.1)).toThrow(Unpromised);
});
