import { isoDate, isoTime, isoTimestamp } from './iso-text.ts';

test.each([
  [0, '1970-01-01'],
  [19_724, '2024-01-02'],
  [-719_162, '0001-01-01'],
  [-719_163, '0001-12-31 (BC)'],
])('day %s is %s', (days, text) => {
  expect(isoDate(days)).toBe(text);
});

test('a day that no calendar has is refused', () => {
  expect(() => isoDate(200_000_000)).toThrow(RangeError);
});

test.each([
  [0n, '00:00:00.000000', '1970-01-01 00:00:00.000000'],
  [86_399_999_999n, '23:59:59.999999', '1970-01-01 23:59:59.999999'],
])('microsecond %s is %s, and %s', (micros, time, timestamp) => {
  expect(isoTime(micros)).toBe(time);
  expect(isoTimestamp(micros)).toBe(timestamp);
});

test('a moment before 1970 belongs to the day before', () => {
  expect(isoTimestamp(-1n)).toBe('1969-12-31 23:59:59.999999');
});
