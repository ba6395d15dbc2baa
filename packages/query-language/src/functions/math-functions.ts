import type { FunctionRecord } from './define-function.ts';
import { defineFamily } from './define-function.ts';

const OF_DOUBLE: readonly (readonly [name: string, summary: string, example: string, result: string])[] = [
  ['SQRT', 'The square root.', 'SQRT(9)', '3.0'],
  ['CBRT', 'The cube root.', 'CBRT(27)', '3.0'],
  ['EXP', 'e to the power of the number.', 'EXP(0)', '1.0'],
  ['LN', 'The natural logarithm.', 'LN(1)', '0.0'],
  ['LOG', 'The natural logarithm.', 'LOG(1)', '0.0'],
  ['LOG10', 'The logarithm to base 10.', 'LOG10(100)', '2.0'],
  ['LOG2', 'The logarithm to base 2.', 'LOG2(8)', '3.0'],
  ['SIN', 'The sine.', 'SIN(0)', '0.0'],
  ['COS', 'The cosine.', 'COS(0)', '1.0'],
  ['TAN', 'The tangent.', 'TAN(0)', '0.0'],
  ['COT', 'The cotangent.', 'ROUND(COT(PI() / 4), 6)', '1.0'],
  ['ASIN', 'The arc sine.', 'ASIN(0)', '0.0'],
  ['ACOS', 'The arc cosine.', 'ACOS(1)', '0.0'],
  ['ATAN', 'The arc tangent.', 'ATAN(0)', '0.0'],
  ['DEGREES', 'Radians as degrees.', 'DEGREES(PI())', '180.0'],
  ['RADIANS', 'Degrees as radians.', 'RADIANS(0)', '0.0'],
];

/** Functions on numbers. */
export const MATH_FUNCTIONS = defineFamily('math', [
  ...OF_DOUBLE.map(([name, summary, query, result]): FunctionRecord => ({
    name,
    summary,
    signatures: ['(x: double) -> double'],
    examples: [[query, result]],
  })),
  { name: 'ABS', summary: 'The number without its sign.', signatures: ['(x: N) -> N'], examples: [['ABS(-5)', '5']] },
  {
    name: 'SIGN',
    aliases: ['SGN'],
    canFail: false,
    summary: '-1, 0 or 1, as the number is.',
    signatures: ['(x: N) -> int'],
    examples: [['SIGN(-5)', '-1']],
  },
  {
    name: 'FLOOR',
    summary: 'The largest whole number that is not greater.',
    signatures: ['(x: N) -> long'],
    examples: [
      ['FLOOR(1.7)', '1'],
      ['FLOOR(-1.2)', '-2'],
    ],
  },
  {
    name: 'CEILING',
    aliases: ['CEIL'],
    summary: 'The smallest whole number that is not less.',
    signatures: ['(x: N) -> long'],
    examples: [['CEILING(1.2)', '2']],
  },
  {
    name: 'ROUND',
    summary:
      'Rounded to a number of decimals, half away from zero. A double may be a little less or more than its text: decimals are exact.',
    signatures: ['(x: N, decimals: int := 0) -> N'],
    examples: [
      ['ROUND(2.5)', '3.0'],
      ['ROUND(1.256, 2)', '1.26'],
      ['ROUND(1.005q, 2)', '1.01'],
      ['ROUND(1250, -2)', '1300'],
    ],
  },
  {
    name: 'TRUNCATE',
    summary: 'Cut to a number of decimals, towards zero. A double may be a little less than its text: decimals are exact.',
    signatures: ['(x: N, decimals: int := 0) -> N'],
    examples: [
      ['TRUNCATE(-2.7)', '-2.0'],
      ['TRUNCATE(0.29q, 2)', '0.29'],
      ['TRUNCATE(1.259, 2)', '1.25'],
    ],
  },
  {
    name: 'POWER',
    aliases: ['POW'],
    summary: 'A number to the power of another.',
    signatures: ['(x: double, y: double) -> double'],
    examples: [['POWER(2, 10)', '1024.0']],
  },
  { name: 'SQUARE', summary: 'The number times itself.', signatures: ['(x: double) -> double'], examples: [['SQUARE(3)', '9.0']] },
  { name: 'ATAN2', summary: 'The angle of a point.', signatures: ['(y: double, x: double) -> double'], examples: [['ATAN2(0, 1)', '0.0']] },
  {
    name: 'MOD',
    summary: 'The remainder of a division, with the sign of the dividend.',
    signatures: ['(x: N, y: N) -> N'],
    examples: [['MOD(-7, 3)', '-1']],
  },
  { name: 'PI', canFail: false, summary: 'The number pi.', signatures: ['() -> double'], examples: [['PI()', '3.141592653589793']] },
  {
    name: 'RANDOM',
    aliases: ['RAND'],
    canFail: false,
    isVolatile: true,
    summary: 'A number from 0 up to 1.',
    signatures: ['() -> double'],
    examples: [['RANDOM() < 1', 'true']],
  },
  {
    name: 'GREATEST',
    canFail: false,
    summary: 'The greatest of the arguments; NULL if one is NULL.',
    signatures: ['(value: K …) -> K'],
    examples: [['GREATEST(1, 3, 2)', '3']],
  },
  {
    name: 'LEAST',
    canFail: false,
    summary: 'The least of the arguments; NULL if one is NULL.',
    signatures: ['(value: K …) -> K'],
    examples: [['LEAST(1, 3, 2)', '1']],
  },
  {
    name: 'IS_NAN',
    canFail: false,
    summary: 'Whether a number is NaN.',
    signatures: ['(x: double) -> bool'],
    examples: [['IS_NAN(NaN)', 'true']],
  },
]);
