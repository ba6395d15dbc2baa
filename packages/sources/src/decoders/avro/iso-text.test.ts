import { isoDate, isoTime, isoTimestamp } from './iso-text.ts';

test.each([
  [0, '1970-01-01'],
  [19_724, '2024-01-02'],
  [19_782, '2024-02-29'],
  [-719_162, '0001-01-01'],
  [-719_163, '0000-12-31'],
  [-719_529, '-0001-12-31'],
  [100_000_001, '275760-09-14'],
  [2_147_483_646, '5881580-07-10'],
  [-2_147_483_646, '-5877641-06-25'],
])('day %s is %s', (days, text) => {
  expect(isoDate(days)).toBe(text);
});

test('every day of four centuries is that of the calendar', () => {
  const days = Array.from({ length: 146_097 }, (_, i) => i - 73_000);
  expect(days.filter((day) => isoDate(day) !== new Date(day * 86_400_000).toISOString().slice(0, 10))).toEqual([]);
});

test.each([2_147_483_647, -2_147_483_647])('day %s is none', (days) => {
  expect(() => isoDate(days)).toThrow('a date is past the last that there is');
});

test.each([
  [0n, '00:00:00.000', '1970-01-01T00:00:00.000'],
  [86_399_999_999n, '23:59:59.999999', '1970-01-01T23:59:59.999999'],
  [3_723_004_000n, '01:02:03.004', '1970-01-01T01:02:03.004'],
])('microsecond %s is %s, and %s', (micros, time, timestamp) => {
  expect(isoTime(micros)).toBe(time);
  expect(isoTimestamp(micros)).toBe(timestamp);
});

test('a moment before 1970 belongs to the day before', () => {
  expect(isoTimestamp(-1n)).toBe('1969-12-31T23:59:59.999999');
});

test.each([-1n, 86_400_000_000n])('microsecond %s is no time of a day', (micros) => {
  expect(() => isoTime(micros)).toThrow('a time is none of a day');
});
