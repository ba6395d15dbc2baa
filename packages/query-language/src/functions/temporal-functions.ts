import { BUCKET_WIDTH, stepNotZero, UNIT_OF_TIME } from './constant-argument.ts';
import type { FunctionRecord } from './define-function.ts';
import { defineFamily } from './define-function.ts';

type Part = readonly [name: string, summary: string, example: string, ...aliases: string[]];

/** Parts of moments and of intervals. */
const DATE_PARTS: readonly Part[] = [
  ['YEAR', 'The year, or the whole years of an interval.', '2024'],
  ['MONTH', 'The month, from 1, or the months of an interval beside its years.', '2'],
  ['DAY', 'The day of the month, or the days of an interval.', '29', 'DAYOFMONTH'],
];

const MOMENT_PARTS: readonly Part[] = [
  ['DAY_OF_WEEK', 'The day of the week by ISO 8601: Monday is 1.', '4'],
  ['WEEK', 'The week of the year by ISO 8601.', '9', 'WEEKOFYEAR'],
  ['DAY_OF_YEAR', 'The day of the year.', '60', 'DAYOFYEAR'],
  ['QUARTER', 'The quarter of the year.', '1'],
];

const TIME_PARTS: readonly Part[] = [
  ['HOUR', 'The hour, or the whole hours of an interval beside its days.', '13'],
  ['MINUTE', 'The minute.', '5'],
  ['SECOND', 'The second.', '7'],
  ['MILLIS', 'The milliseconds of the second, 0 to 999.', '123'],
];

const UNITS = '"year", "quarter", "month", "week", "day", "hour", "minute" or "second"';

/** Functions on dates, times, timestamps and intervals. */
export const TEMPORAL_FUNCTIONS = defineFamily('temporal', [
  ...DATE_PARTS.map(([name, summary, result, ...aliases]): FunctionRecord => ({
    name,
    aliases,
    canFail: false,
    summary,
    signatures: ['(moment: M) -> int', '(duration: interval) -> int'],
    examples: [
      [`${name}(date "2024-02-29")`, result],
      [`${name}(interval "2024 years 2 months 29 days")`, result],
    ],
  })),
  ...MOMENT_PARTS.map(([name, summary, result, ...aliases]): FunctionRecord => ({
    name,
    aliases,
    canFail: false,
    summary,
    signatures: ['(moment: M) -> int'],
    examples: [[`${name}(date "2024-02-29")`, result]],
  })),
  ...TIME_PARTS.map(([name, summary, result]): FunctionRecord => ({
    name,
    canFail: false,
    summary,
    signatures: ['(moment: timestamp) -> int', '(moment: time) -> int', '(duration: interval) -> int'],
    examples: [
      [`${name}(timestamp "2024-02-29 13:05:07.123")`, result],
      [`${name}(interval "13:05:07.123")`, result],
    ],
  })),
  {
    name: 'TRUNC',
    aliases: ['DATE_TRUNC', 'DATETRUNC'],
    constantArgument: UNIT_OF_TIME,
    summary: `The start of the unit that a moment lies in: ${UNITS}; of a time "hour", "minute" or "second".`,
    signatures: ['(unit: string, moment: M) -> M', '(unit: string, moment: time) -> time'],
    examples: [
      ['TRUNC("month", date "2024-02-29")', '"2024-02-01"'],
      ['TRUNC("hour", time "13:05:07")', '"13:00:00.000"'],
    ],
  },
  {
    name: 'TIME_BUCKET',
    aliases: ['DATE_BIN'],
    constantArgument: BUCKET_WIDTH,
    summary: 'The start of the bucket of a width that a moment lies in. A width is of months and years, or of days and time.',
    signatures: ['(width: interval, moment: M) -> M', '(width: interval, moment: time) -> time'],
    examples: [
      ['TIME_BUCKET(interval "15 minutes", timestamp "2024-02-29 13:05:07")', '"2024-02-29T13:00:00.000"'],
      ['TIME_BUCKET(interval "3 months", date "2024-02-29")', '"2024-01-01"'],
    ],
  },
  {
    name: 'DATE_BUILD',
    aliases: ['MAKE_DATE', 'DATEFROMPARTS'],
    summary: 'The date of year, month and day; an error where there is none.',
    signatures: ['(year: int, month: int, day: int) -> date'],
    examples: [['DATE_BUILD(2024, 2, 29)', '"2024-02-29"']],
  },
  {
    name: 'TIME_BUILD',
    summary: 'The time of its parts.',
    signatures: ['(hour: int, minute: int, second: int := 0, millis: int := 0) -> time'],
    examples: [['TIME_BUILD(13, 5, 7, 123)', '"13:05:07.123"']],
  },
  {
    name: 'TIMESTAMP_BUILD',
    summary: 'The timestamp of its parts.',
    signatures: ['(year: int, month: int, day: int, hour: int := 0, minute: int := 0, second: int := 0, millis: int := 0) -> timestamp'],
    examples: [['TIMESTAMP_BUILD(2024, 2, 29, 13, 5, 7, 123)', '"2024-02-29T13:05:07.123"']],
  },
  {
    name: 'INTERVAL_BUILD',
    summary: 'The interval of its parts, each of which may be left out or negative.',
    signatures: [
      '(years: int := 0, months: int := 0, weeks: int := 0, days: int := 0, hours: int := 0, minutes: int := 0, seconds: int := 0, millis: int := 0) -> interval',
    ],
    examples: [
      ['INTERVAL_BUILD(days := 1, hours := 2)', '"P1DT2H"'],
      ['INTERVAL_BUILD(1, 2)', '"P1Y2M"'],
    ],
  },
  {
    name: 'TO_EPOCH',
    aliases: ['UNIX_TIMESTAMP'],
    summary: 'Seconds since the start of 1970, or of an interval, with their fraction. A month is 30 days, a year 365.25 days.',
    signatures: ['(moment: timestamp) -> double', '(duration: interval) -> double'],
    examples: [
      ['TO_EPOCH(timestamp "1970-01-02 00:00:00")', '86400.0'],
      ['TO_EPOCH(interval "1 day 00:00:01.5")', '86401.5'],
    ],
  },
  {
    name: 'FROM_EPOCH',
    summary: 'The moment so many seconds after the start of 1970.',
    signatures: ['(seconds: double) -> timestamp'],
    examples: [['FROM_EPOCH(86400)', '"1970-01-02T00:00:00.000"']],
  },
  {
    name: 'LAST_DAY',
    aliases: ['EOMONTH'],
    summary: 'The last day of the month.',
    signatures: ['(moment: M) -> date'],
    examples: [['LAST_DAY(date "2024-02-01")', '"2024-02-29"']],
  },
  {
    name: 'AGE',
    summary: 'a − b in years, months, days and time.',
    signatures: ['(a: timestamp, b: timestamp) -> interval'],
    examples: [['AGE(timestamp "2024-03-01 00:00:00", timestamp "2023-01-01 00:00:00")', '"P1Y2M"']],
  },
  {
    name: 'TIMESTAMP_RANGE',
    constantArgument: stepNotZero('0 0 0'),
    outputCount: () => NaN,
    summary: 'The moments from a first one, in steps, up to a last one, which is not included.',
    signatures: ['(from: timestamp, to: timestamp, step: interval) -> collection(timestamp)'],
    examples: [
      [
        'TIMESTAMP_RANGE(timestamp "2024-01-31 00:00:00", timestamp "2024-03-31 00:00:00", interval "1 month")',
        '["2024-01-31T00:00:00.000","2024-02-29T00:00:00.000"]',
      ],
    ],
  },
]);
