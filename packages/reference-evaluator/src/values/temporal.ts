import type { Interval, Moment, Value } from './value.ts';
import { Unpromised } from './value.ts';

const MICROS_OF_DAY = 86_400_000_000n;

/** A date, time or timestamp from its literal's text. */
export function momentOf(of: Moment['of'], text: string): Moment {
  const [day = '1970-01-01', time] = of === 'time' ? [undefined, text] : text.split(' ');
  const days = BigInt(Date.parse(day) / 86_400_000);
  const [hours = '0', minutes = '0', seconds = '0'] = (time ?? '').split(':');
  const [whole = '0', fraction = ''] = seconds.split('.');
  const micros = (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(whole)) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return { kind: 'moment', of, value: of === 'date' ? days : days * MICROS_OF_DAY + micros };
}

/** Prints a moment as text and in JSON: with three or six digits of a second. */
export function momentText({ of, value }: Moment): string {
  if (of === 'date') return dateText(value);
  const [days, micros] = daysAndTime(value);
  const seconds = micros / 1_000_000n;
  const parts = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => String(part).padStart(2, '0'));
  const fraction = String(micros % 1_000_000n).padStart(6, '0');
  const time = `${parts.join(':')}.${fraction.endsWith('000') ? fraction.slice(0, 3) : fraction}`;
  return of === 'time' ? time : `${dateText(days)}T${time}`;
}

function dateText(days: bigint): string {
  return dateOf(days).toISOString().slice(0, 10);
}

function dateOf(days: bigint): Date {
  return new Date(Number(days) * 86_400_000);
}

/** The day and the microseconds since it began. */
function daysAndTime(micros: bigint): readonly [days: bigint, micros: bigint] {
  const time = ((micros % MICROS_OF_DAY) + MICROS_OF_DAY) % MICROS_OF_DAY;
  return [(micros - time) / MICROS_OF_DAY, time];
}

/** A date as the timestamp of its first moment. */
export function asTimestamp(moment: Moment): Moment {
  return moment.of === 'date' ? { kind: 'moment', of: 'timestamp', value: moment.value * MICROS_OF_DAY } : moment;
}

/** Returns the date or the time of a timestamp. */
export function partOf(moment: Moment, of: 'date' | 'time'): Moment {
  const [days, micros] = daysAndTime(asTimestamp(moment).value);
  return { kind: 'moment', of, value: of === 'date' ? days : micros };
}

/** Returns the length of an interval, with months of 30 days and days of 24 hours. */
export function sizeOf({ months, days, micros }: Interval): bigint {
  return (months * 30n + days) * MICROS_OF_DAY + micros;
}

/** The years 1 to 9999: past them the engine may have no moments, and writes them otherwise. */
const [FIRST_DAY, LAST_DAY] = [-719_162n, 2_932_896n];

const far = (): Unpromised => new Unpromised('far moments');

/** `moment + interval`: months first, as far as there are days in the month, then days, then time. A time wraps. */
function addInterval(moment: Moment, { months, days, micros }: Interval): Moment {
  if (moment.of === 'time') return { ...moment, value: daysAndTime(moment.value + micros)[1] };
  if ([months / 12n, days / 366n, micros / (366n * MICROS_OF_DAY)].some((years) => years > 9999n || years < -9999n)) throw far();
  const [day, time] = daysAndTime(asTimestamp(moment).value);
  const sum = addMonths(day, months) + days;
  if (sum < FIRST_DAY || sum > LAST_DAY) throw far();
  return { kind: 'moment', of: 'timestamp', value: sum * MICROS_OF_DAY + time + micros };
}

function addMonths(day: bigint, months: bigint): bigint {
  const date = dateOf(day);
  const month = date.getUTCMonth() + Number(months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return BigInt(Date.UTC(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), last)) / 86_400_000);
}

/** `a - b` of two dates or timestamps in days and time. */
function differenceOf(a: Moment, b: Moment): Interval {
  const micros = asTimestamp(a).value - asTimestamp(b).value;
  return { kind: 'interval', months: 0n, days: micros / MICROS_OF_DAY, micros: micros % MICROS_OF_DAY };
}

/** An interval of parts for which there is room. */
export function intervalFrom(months: bigint, days: bigint, micros: bigint): Interval {
  if ([months, days, micros / MICROS_OF_DAY].some((part) => BigInt.asIntN(32, part) !== part)) throw new Unpromised('long intervals');
  return { kind: 'interval', months, days, micros };
}

/** Multiplies each part of an interval. */
export function times({ months, days, micros }: Interval, factor: bigint): Interval {
  return intervalFrom(months * factor, days * factor, micros * factor);
}

/** Part by part. */
export function sumOfIntervals(a: Interval, b: Interval): Interval {
  return intervalFrom(a.months + b.months, a.days + b.days, a.micros + b.micros);
}

/** The sum of intervals divided by their count: the rest of months in days, 30 a month, and the rest of days in time. */
export function meanOfIntervals(values: readonly Interval[]): Interval {
  const { months, days, micros } = values.reduce(sumOfIntervals);
  const count = BigInt(values.length);
  const rest = (months % count) * 30n;
  const restOfDays = (days % count) + (rest % count);
  const time = micros + (restOfDays % count) * MICROS_OF_DAY;
  return intervalFrom(months / count, days / count + rest / count + restOfDays / count, roundedQuotient(time, count));
}

/** Rounds a quotient, of two integers as close to the even one. */
function roundedQuotient(x: bigint, n: bigint): bigint {
  const [quotient, rest] = [x / n, x % n];
  const twice = (rest < 0n ? -rest : rest) * 2n;
  if (twice < n || (twice === n && quotient % 2n === 0n)) return quotient;
  return quotient + (x < 0n ? -1n : 1n);
}

/** Evaluates `+ - *` if one side is a moment or an interval. */
export function calculateTemporal(operator: string, left: Value, right: Value): Value {
  if (typeof left === 'bigint') return times(asInterval(right), left);
  if (typeof right === 'bigint') return times(asInterval(left), right);
  if (isInterval(right)) {
    const added = operator === '-' ? times(right, -1n) : right;
    return isInterval(left) ? sumOfIntervals(left, added) : addInterval(asMoment(left), added);
  }
  return isInterval(left) ? addInterval(asMoment(right), left) : differenceOf(asMoment(left), asMoment(right));
}

/** Returns whether a value is an interval. */
export function isInterval(value: Value): value is Interval {
  return typeof value === 'object' && value !== null && value.kind === 'interval';
}

/** A value that is an interval. */
export function asInterval(value: Value): Interval {
  if (!isInterval(value)) throw new Error('no interval');
  return value;
}

/** A value that is a date, a time or a timestamp. */
export function asMoment(value: Value | undefined): Moment {
  if (typeof value !== 'object' || value === null || value.kind !== 'moment') throw new Error('no moment');
  return value;
}

const dayOfYear = (date: Date): number => (date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000 + 1;

/** The week of ISO 8601: that of the year in which its Thursday lies. */
function weekOf(date: Date): number {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * 86_400_000);
  return Math.floor((dayOfYear(thursday) - 1) / 7) + 1;
}

const OF_DAY: Readonly<Record<string, (date: Date) => number>> = {
  YEAR: (date) => date.getUTCFullYear(),
  MONTH: (date) => date.getUTCMonth() + 1,
  DAY: (date) => date.getUTCDate(),
  QUARTER: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  DAY_OF_WEEK: (date) => ((date.getUTCDay() + 6) % 7) + 1,
  DAY_OF_YEAR: dayOfYear,
  WEEK: weekOf,
};

const OF_TIME: Readonly<Record<string, (micros: bigint) => bigint>> = {
  HOUR: (micros) => micros / 3_600_000_000n,
  MINUTE: (micros) => (micros / 60_000_000n) % 60n,
  SECOND: (micros) => (micros / 1_000_000n) % 60n,
  MILLIS: (micros) => (micros / 1000n) % 1000n,
};

/** YEAR, MONTH and so on of a moment. */
export function partOfMoment(name: string, moment: Moment): bigint {
  const ofDay = OF_DAY[name];
  if (ofDay !== undefined) return BigInt(ofDay(dateOf(partOf(moment, 'date').value)));
  const ofTime = OF_TIME[name];
  if (ofTime === undefined) throw new Error(`there is no ${name} of a moment`);
  return ofTime(moment.of === 'time' ? moment.value : partOf(moment, 'time').value);
}

const OF_INTERVAL: Readonly<Record<string, (interval: Interval) => bigint>> = {
  YEAR: ({ months }) => months / 12n,
  MONTH: ({ months }) => months % 12n,
  DAY: ({ days }) => days,
  HOUR: ({ micros }) => micros / 3_600_000_000n,
  MINUTE: ({ micros }) => (micros / 60_000_000n) % 60n,
  SECOND: ({ micros }) => (micros / 1_000_000n) % 60n,
  MILLIS: ({ micros }) => (micros / 1000n) % 1000n,
};

/** Returns YEAR, MONTH and so on of an interval, each without the larger units. */
export function partOfInterval(name: string, interval: Interval): bigint {
  const rule = OF_INTERVAL[name];
  if (rule === undefined) throw new Error(`there is no ${name} of an interval`);
  return rule(interval);
}

const UNITS: Readonly<Record<string, bigint>> = { hour: 3_600_000_000n, minute: 60_000_000n, second: 1_000_000n };

/** TRUNC: the start of the unit that a moment lies in, of its type. */
export function startOf(unit: string, moment: Moment): Moment {
  const micros = UNITS[unit];
  if (micros !== undefined) {
    if (moment.of === 'date') return moment;
    return { ...moment, value: moment.value - (((moment.value % micros) + micros) % micros) };
  }
  if (unit === 'week') {
    const day = partOf(moment, 'date');
    const monday: Moment = { ...day, value: day.value - partOfMoment('DAY_OF_WEEK', day) + 1n };
    return moment.of === 'date' ? monday : asTimestamp(monday);
  }
  const date = dateOf(partOf(moment, 'date').value);
  const month = unit === 'year' ? 0 : unit === 'quarter' ? date.getUTCMonth() - (date.getUTCMonth() % 3) : date.getUTCMonth();
  const first = Date.UTC(date.getUTCFullYear(), month, unit === 'day' ? date.getUTCDate() : 1);
  const start: Moment = { kind: 'moment', of: 'date', value: BigInt(first / 86_400_000) };
  return moment.of === 'date' ? start : asTimestamp(start);
}

/** LAST_DAY of the month of a moment. */
export function lastDayOf(moment: Moment): Moment {
  const date = dateOf(partOf(moment, 'date').value);
  return { kind: 'moment', of: 'date', value: BigInt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / 86_400_000) };
}

/** Prints an interval as its literal. */
export function intervalText({ months, days, micros }: Interval): string {
  const parts = [months === 0n ? '' : `${months} months`, micros === 0n ? '' : `${micros / 1000n} milliseconds`];
  return [...parts, months !== 0n && days === 0n ? '' : `${days} days`].filter((part) => part !== '').join(' ');
}

/** The interval of an ISO text, as results have them. */
export function intervalOf(text: string): Interval {
  const [day = '', time = ''] = text.replace(/^P/, '').split('T');
  const of = (part: string, unit: string): bigint => BigInt(new RegExp(`(-?\\d+)${unit}`).exec(part)?.[1] ?? '0');
  const [, sign = '', whole = '0', fraction = ''] = /(-?)(\d+)(?:\.(\d+))?S/.exec(time) ?? [];
  const seconds = (BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))) * (sign === '-' ? -1n : 1n);
  const micros = of(time, 'H') * 3_600_000_000n + of(time, 'M') * 60_000_000n + seconds;
  return { kind: 'interval', months: of(day, 'Y') * 12n + of(day, 'M'), days: of(day, 'W') * 7n + of(day, 'D'), micros };
}
