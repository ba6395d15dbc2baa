import { convert, textOf } from '../values/convert.ts';
import { compareInside } from '../values/order.ts';
import { formatted, readBy } from '../values/templates.ts';
import {
  asInterval,
  asMoment,
  asTimestamp,
  calculateTemporal,
  intervalFrom,
  lastDayOf,
  momentOf,
  partOf,
  partOfInterval,
  partOfMoment,
  sizeOf,
  startOf,
  times,
} from '../values/temporal.ts';
import type { Interval, Moment, Value } from '../values/value.ts';
import { RunTimeError, Unpromised, ordered } from '../values/value.ts';
import type { Rule } from './function-rule.ts';

const PARTS = ['YEAR', 'MONTH', 'DAY', 'QUARTER', 'DAY_OF_WEEK', 'DAY_OF_YEAR', 'WEEK', 'HOUR', 'MINUTE', 'SECOND', 'MILLIS'] as const;

const isInterval = (value: Value): value is Interval => typeof value === 'object' && value?.kind === 'interval';

/** Functions of dates, times, timestamps and intervals. */
export const TEMPORAL_FUNCTIONS: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    PARTS.map((name) => [
      name,
      ([value = null]: readonly Value[]) => (isInterval(value) ? partOfInterval(name, value) : partOfMoment(name, asMoment(value))),
    ]),
  ),
  LAST_DAY: ([moment]) => lastDayOf(asMoment(moment)),
  TRUNC: ([unit = null, moment]) => startOf(textOf(unit), asMoment(moment)),
  TIME_BUCKET: ([width, moment]) => bucketOf(asInterval(width ?? null), asMoment(moment)),
  AGE: ([a, b]) => ageOf(asTimestamp(asMoment(a)), asTimestamp(asMoment(b))),
  TO_EPOCH: ([value = null]) => (isInterval(value) ? secondsOf(value) : Number(asTimestamp(asMoment(value)).value) / 1e6),
  FROM_EPOCH: ([seconds = null]) => momentAfter(Number(convert(seconds, 'double'))),
  DATE_BUILD: ([year, month, day]) => dateOf(Number(year), Number(month), Number(day)),
  TIME_BUILD: (parts) => timeOf(parts.map(Number)),
  TIMESTAMP_BUILD: ([year, month, day, ...time]) => ({
    kind: 'moment',
    of: 'timestamp',
    value: asTimestamp(dateOf(Number(year), Number(month), Number(day))).value + timeOf(time.map(Number)).value,
  }),
  INTERVAL_BUILD: (parts) => intervalOfParts(parts.map((part) => (typeof part === 'bigint' ? part : 0n))),
  FORMAT: ([moment, template = null]) => formatted(asMoment(moment), textOf(template)),
  TO_DATE: ([text = null, template = null]) => readBy(textOf(text), textOf(template), 'date'),
  TO_TIMESTAMP: ([text = null, template = null]) => readBy(textOf(text), textOf(template), 'timestamp'),
  TIMESTAMP_RANGE: ([from, to, step]) => rangeOf(asTimestamp(asMoment(from)), asTimestamp(asMoment(to)), asInterval(step ?? null)),
};

/** Of months, each twelve are a year of 365.25 days, and the others have 30 days, as in PostgreSQL. */
function secondsOf({ months, days, micros }: Interval): number {
  const days4 = (months / 12n) * 1461n + ((months % 12n) * 30n + days) * 4n;
  return Number(days4 * 21_600_000_000n + micros) / 1e6;
}

/** Buckets of months count from January, shorter ones from midnight: those that the generator writes divide a year or a day. */
function bucketOf(width: Interval, moment: Moment): Moment {
  if (width.months > 0n) {
    const date = partOf(moment, 'date');
    const month = partOfMoment('YEAR', date) * 12n + partOfMoment('MONTH', date) - 1n;
    const first = month - (month % width.months);
    const start = dateOf(Number(first / 12n), Number(first % 12n) + 1, 1);
    return moment.of === 'date' ? start : asTimestamp(start);
  }
  const micros = sizeOf(width);
  const { value } = moment.of === 'date' ? asTimestamp(moment) : moment;
  const start = value - (((value % micros) + micros) % micros);
  const bucket: Moment = { kind: 'moment', of: moment.of === 'date' ? 'timestamp' : moment.of, value: start };
  return moment.of === 'date' ? partOf(bucket, 'date') : bucket;
}

/** Returns a − b in whole months, then days and time; open if a month must be borrowed, whose length is unspecified. */
function ageOf(a: Moment, b: Moment): Interval {
  if (a.value < b.value) return times(ageOf(b, a), -1n);
  const parts = (moment: Moment): readonly bigint[] => [
    partOfMoment('YEAR', moment) * 12n + partOfMoment('MONTH', moment),
    partOfMoment('DAY', moment),
    partOf(moment, 'time').value,
  ];
  const [months = 0n, days = 0n, micros = 0n] = parts(a).map((part, i) => part - (parts(b)[i] ?? 0n));
  if (days < 0n || micros < 0n) throw new Unpromised('what AGE borrows');
  return { kind: 'interval', months, days, micros };
}

function momentAfter(seconds: number): Moment {
  if (!Number.isFinite(seconds)) throw new RunTimeError('there is no timestamp');
  if (Math.abs(seconds) > 1e10) throw new Unpromised('far moments');
  if (!Number.isInteger(seconds * 1e3)) throw new Unpromised('digits of a second');
  return { kind: 'moment', of: 'timestamp', value: BigInt(seconds * 1e3) * 1000n };
}

function dateOf(year: number, month: number, day: number): Moment {
  const date = new Date(Date.UTC(year, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) throw new RunTimeError('there is no date');
  if (year < 1 || year > 9999) throw new Unpromised('far moments');
  return momentOf('date', date.toISOString().slice(0, 10));
}

function timeOf([hour = 0, minute = 0, second = 0, millis = 0]: readonly number[]): Moment {
  const isPast = [hour, minute, second, millis].some((part, i) => part < 0 || part >= ([24, 60, 60, 1000][i] ?? 0));
  if (isPast) throw new RunTimeError('there is no time');
  return { kind: 'moment', of: 'time', value: BigInt(((hour * 60 + minute) * 60 + second) * 1000 + millis) * 1000n };
}

function intervalOfParts(parts: readonly bigint[]): Interval {
  const [years = 0n, months = 0n, weeks = 0n, days = 0n, hours = 0n, minutes = 0n, seconds = 0n, millis = 0n] = parts;
  const micros = (((hours * 60n + minutes) * 60n + seconds) * 1000n + millis) * 1000n;
  return intervalFrom(years * 12n + months, weeks * 7n + days, micros);
}

/** Steps are counted from the first moment: a month after 31 January is the end of February, two are 31 March. */
function rangeOf(from: Moment, to: Moment, step: Interval): Value {
  const found: Value[] = [];
  for (let n = 0n; found.length < 200; n += 1n) {
    const next = calculateTemporal('+', from, times(step, n));
    if (compareInside(next, to) >= 0) return ordered(found);
    found.push(next);
  }
  throw new Unpromised('many moments');
}
