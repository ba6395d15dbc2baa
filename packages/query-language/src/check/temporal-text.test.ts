import { readTemporal } from './temporal-text.ts';

const date = (text: string): string | null => readTemporal('date', text);

test.each([
  [1, 31],
  [2, 28],
  [3, 31],
  [4, 30],
  [5, 31],
  [6, 30],
  [7, 31],
  [8, 31],
  [9, 30],
  [10, 31],
  [11, 30],
  [12, 31],
])('month %i of a common year has %i days', (month, days) => {
  expect(date(`2023-${month}-${days}`)).toBe(`2023-${String(month).padStart(2, '0')}-${days}`);
  expect(date(`2023-${month}-${days + 1}`)).toBeNull();
});

test.each([
  [2024, true],
  [2000, true],
  [2400, true],
  [1900, false],
  [2100, false],
  [2023, false],
  [2022, false],
  [2101, false],
])('%i has a day more: %s', (year, isLeap) => {
  expect(date(`${year}-02-29`)).toBe(isLeap ? `${year}-02-29` : null);
});

test.each(['2024-00-01', '2024-13-01', '2024-1-0', '24-01-01', '2024-01-01x', '2024/01/01', ''])('%j is no date', (text) => {
  expect(date(text)).toBeNull();
});

test.each([
  ['-0001-01-02', '-0001-01-02'],
  ['12345-6-7', '12345-06-07'],
  ['  2024-1-9 ', '2024-01-09'],
])('%j is a date', (text, expected) => {
  expect(date(text)).toBe(expected);
});

test.each([
  ['1:02', '01:02:00.000000'],
  ['23:59:59', '23:59:59.000000'],
  ['00:00:00.1', '00:00:00.100000'],
  ['12:34:56.1234567', '12:34:56.123456'],
  ['24:00', null],
  ['12:60', null],
  ['12:00:60', null],
  ['12', null],
  ['12:0', null],
])('%j as a time is %j', (text, expected) => {
  expect(readTemporal('time', text)).toBe(expected);
});

test.each([
  ['2024-01-02', '2024-01-02 00:00:00.000000'],
  ['2024-01-02T03:04', '2024-01-02 03:04:00.000000'],
  ['2024-01-02   03:04:05.6Z', '2024-01-02 03:04:05.600000'],
  ['2024-01-02 03:04:05.123456 +01', '2024-01-02 02:04:05.123456'],
  ['2024-01-02 03:04:05+01:30', '2024-01-02 01:34:05.000000'],
  ['2024-01-02 03:04:05-0130', '2024-01-02 04:34:05.000000'],
  ['2023-12-31 23:30:00-01:00', '2024-01-01 00:30:00.000000'],
  ['2024-03-01 00:30:00+01', '2024-02-29 23:30:00.000000'],
  ['2023-03-01 00:30:00+01', '2023-02-28 23:30:00.000000'],
  ['0050-01-01 00:00:00+01', '0049-12-31 23:00:00.000000'],
  ['-0005-06-01 12:00:00+02', '-0005-06-01 10:00:00.000000'],
  ['12345-06-01 12:00:00-02', '12345-06-01 14:00:00.000000'],
  ['2024-01-02T25:00', null],
  ['2024-02-30T10:00', null],
  ['2024-01-02 03:04:05+1', null],
  ['x', null],
  ['', null],
])('%j as a timestamp is %j', (text, expected) => {
  expect(readTemporal('timestamp', text)).toBe(expected);
});

test.each([
  ['1 year 2 months 3 weeks 4 days', '14 25 0'],
  ['5 hours 6 minutes 7 seconds 8 milliseconds 9 microseconds', '0 0 18367008009'],
  ['1.5 hours, 1 milli', '0 0 5400001000'],
  ['-1 DAY', '0 -1 0'],
  ['+2 days', '0 2 0'],
  ['1.5 days', null],
  ['2.0 days', null],
  ['0.5 years', null],
  ['1.5 microseconds', '0 0 2'],
  ['1.5 seconds', '0 0 1500000'],
  ['1', null],
  ['day', null],
  ['1 day 2', null],
  ['1 fortnight', null],
  ['x day', null],
  ['', null],
  [' ,', null],
  ['9007199254740992 days', null],
  ['800719925474099 years', null],
  ['9007199255 seconds', null],
  ['-0 days', '0 0 0'],
])('units: %j as an interval is %j', (text, expected) => {
  expect(readTemporal('interval', text)).toBe(expected);
});

test.each([
  ['1:02', '0 0 3720000000'],
  ['-1:02:03.5', '0 0 -3723500000'],
  ['100:59:59', '0 0 363599000000'],
  ['1:60', null],
  ['1:00:60', null],
  ['1 day 04:05:06', '0 1 14706000000'],
  ['1 day, -04:00', '0 1 -14400000000'],
  ['1 month 2 days 1 hour 00:30', '1 2 5400000000'],
  ['1 day 04:60', null],
  ['1 dai 04:00', null],
])('clocks: %j as an interval is %j', (text, expected) => {
  expect(readTemporal('interval', text)).toBe(expected);
});

test.each([
  ['P1Y2M3W4DT5H6M7.8S', '14 25 18367800000'],
  ['P1Y', '12 0 0'],
  ['P-2M', '-2 0 0'],
  ['P1W', '0 7 0'],
  ['PT1H', '0 0 3600000000'],
  ['PT-1.5S', '0 0 -1500000'],
  ['PT0.000001S', '0 0 1'],
  ['p1dt1m', '0 1 60000000'],
  ['P', null],
  ['PT', null],
  ['P1DT', null],
  ['P1S', null],
  ['P9007199254740992D', null],
])('ISO 8601: %j as an interval is %j', (text, expected) => {
  expect(readTemporal('interval', text)).toBe(expected);
});
