import type { FunctionRecord } from './define-function.ts';
import { defineFamily } from './define-function.ts';

const MOMENT_PARTS: readonly (readonly [name: string, summary: string, example: string])[] = [
  ['YEAR', 'The year.', '2024'],
  ['MONTH', 'The month, from 1.', '2'],
  ['DAY', 'The day of the month.', '29'],
  ['DAY_OF_WEEK', 'The day of the week by ISO 8601: Monday is 1.', '4'],
  ['WEEK', 'The week of the year by ISO 8601.', '9'],
  ['DAY_OF_YEAR', 'The day of the year.', '60'],
  ['QUARTER', 'The quarter of the year.', '1'],
];

const TIME_PARTS: readonly (readonly [name: string, summary: string, example: string])[] = [
  ['HOUR', 'The hour.', '13'],
  ['MINUTE', 'The minute.', '5'],
  ['SECOND', 'The second.', '7'],
  ['MILLIS', 'The milliseconds of the second.', '123'],
];

/** Functions on dates, times, timestamps and intervals. */
export const TEMPORAL_FUNCTIONS = defineFamily('temporal', [
  ...MOMENT_PARTS.map(([name, summary, result]): FunctionRecord => ({
    name,
    summary,
    signatures: ['(moment: M) -> int'],
    examples: [[`${name}(date "2024-02-29")`, result]],
  })),
  ...TIME_PARTS.map(([name, summary, result]): FunctionRecord => ({
    name,
    summary,
    signatures: ['(moment: timestamp) -> int', '(moment: time) -> int'],
    examples: [[`${name}(timestamp "2024-02-29 13:05:07.123")`, result]],
  })),
  {
    name: 'TRUNC',
    summary: 'The start of the unit that a moment lies in: "year", "quarter", "month", "week", "day", "hour", "minute" or "second".',
    signatures: ['(unit: string, moment: M) -> M'],
    examples: [['TRUNC("month", date "2024-02-29")', '"2024-02-01"']],
  },
  {
    name: 'LAST_DAY',
    summary: 'The last day of the month.',
    signatures: ['(moment: M) -> date'],
    examples: [['LAST_DAY(date "2024-02-01")', '"2024-02-29"']],
  },
  {
    name: 'TO_EPOCH',
    summary: 'Seconds since 1970, with their fraction.',
    signatures: ['(moment: timestamp) -> double'],
    examples: [['TO_EPOCH(timestamp "1970-01-02 00:00:00")', '86400.0']],
  },
  {
    name: 'FROM_EPOCH',
    summary: 'The moment so many seconds after the start of 1970.',
    signatures: ['(seconds: double) -> timestamp'],
    examples: [['FROM_EPOCH(86400)', '"1970-01-02T00:00:00.000"']],
  },
  {
    name: 'AGE',
    summary: 'a − b in years, months, days and time.',
    signatures: ['(a: timestamp, b: timestamp) -> interval'],
    examples: [['AGE(timestamp "2024-03-01 00:00:00", timestamp "2023-01-01 00:00:00")', '"P1Y2M"']],
  },
  {
    name: 'DATE_BUILD',
    summary: 'The date of year, month and day.',
    signatures: ['(year: int, month: int, day: int) -> date'],
    examples: [['DATE_BUILD(2024, 2, 29)', '"2024-02-29"']],
  },
]);
