import { decimalOf } from './decimal.ts';
import type { Scalar } from './shape.ts';
import { intervalOf, momentOf } from './temporal.ts';
import type { ScalarValue } from './value.ts';

/** Values of each type that are worth a look: the first is the simplest. */
export const SAMPLES: Readonly<Record<Scalar, readonly ScalarValue[]>> = {
  byte: [1n, 0n, 2n, -3n, 127n, -128n],
  float: [1, 0, 0.5, -2.5, 3, 1e20, 0.1, 16_777_217, Number.NaN, Number.POSITIVE_INFINITY].map(Math.fround),
  binary: ['61', '', '00ff', '6162', 'c3a9'].map((hex): ScalarValue => ({ kind: 'bytes', hex })),
  short: [1n, 0n, 2n, -3n, 32_767n, -32_768n],
  int: [1n, 0n, 2n, 3n, -1n, 7n, 100n, 2_147_483_647n, -2_147_483_648n],
  long: [1n, 0n, 2n, -5n, 3_000_000_000n, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n],
  double: [1, 0, 0.5, -2.5, 3, 1e10, Number.NaN, Number.POSITIVE_INFINITY],
  bool: [true, false],
  decimal: ['1', '0', '1.5', '-2.25', '0.01', '100', '7.125', '0.333333333'].map(decimalOf),
  date: ['2001-01-31', '2000-02-29', '1999-12-31', '1970-01-01', '2001-08-22', '1969-07-20'].map((text) => momentOf('date', text)),
  time: ['01:02:03', '00:00:00', '23:59:59.999999', '12:30:00.5'].map((text) => momentOf('time', text)),
  timestamp: ['2001-01-31 00:00:00', '2000-02-29 23:59:59.5', '1999-12-31 12:00:00', '1969-07-20 20:17:40.000001'].map((text) =>
    momentOf('timestamp', text),
  ),
  interval: ['P1D', 'P1M', 'P30D', 'PT24H', 'PT-1H', 'P1Y2DT1.5S', 'PT0S', 'P-1M10D'].map(intervalOf),
  string: ['a', '', 'b', 'ab', 'B', 'é', 'zz', '🦆', ' '],
};
