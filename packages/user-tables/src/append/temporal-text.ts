/** An interval in the three parts that neither PostgreSQL nor the engine mixes. */
export interface IntervalParts {
  readonly months: number;
  readonly days: number;
  readonly micros: number;
}

const DAY_MILLIS = 86_400_000;
const MICROS_PER_DAY = 86_400_000_000;
/** PostgreSQL counts from 2000-01-01. */
const EPOCH_DAYS = 10_957;

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?$/;
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const INTERVAL =
  /^P(?=.)(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)W)?(?:(-?\d+)D)?(?:T(?=.)(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d{1,6}))?S)?)?$/;

/** Days since 2000-01-01 of `2024-02-29`; undefined where it is no day from year 1 to 9999. */
export function parseDate(text: string): number | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  // Date.UTC takes years below 100 for 1900 and on; 400 years are a whole number of days.
  const millis = year < 400 ? Date.UTC(year + 400, month - 1, day) - 146_097 * DAY_MILLIS : Date.UTC(year, month - 1, day);
  return millis / DAY_MILLIS - EPOCH_DAYS;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Microseconds since midnight of `01:02`, `01:02:03` or `01:02:03.456789`. */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + Number((match[4] ?? '').padEnd(6, '0'));
}

/** Microseconds since 2000-01-01 of `2024-02-29T01:02:03.456`, a blank for the T, or a date alone; an offset moves it to UTC. */
export function parseTimestamp(text: string): number | bigint | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const days = parseDate(match[1] ?? '');
  const time = match[2] === undefined ? 0 : parseTime(match[2]);
  const offset = parseOffset(match[3]);
  if (days === undefined || time === undefined || offset === undefined) return undefined;
  const micros = days * MICROS_PER_DAY + time - offset;
  // Beyond 2285 and before 1715 a number has no room for microseconds.
  return Number.isSafeInteger(micros) ? micros : BigInt(days) * BigInt(MICROS_PER_DAY) + BigInt(time - offset);
}

function parseOffset(text: string | undefined): number | undefined {
  if (text === undefined || text === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', ''))];
  if (hours > 18 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000_000;
}

/** An ISO 8601 duration as the service writes it: `P1Y2M3DT4H5M6.007S`, each part with a sign of its own. */
export function parseInterval(text: string): IntervalParts | undefined {
  const match = INTERVAL.exec(text);
  if (match === null) return undefined;
  const part = (i: number): number => Number(match[i] ?? 0);
  const seconds = (match[7] === '-' ? -1 : 1) * (part(8) * 1_000_000 + Number((match[9] ?? '').padEnd(6, '0')));
  const interval = { months: part(1) * 12 + part(2), days: part(3) * 7 + part(4), micros: (part(5) * 60 + part(6)) * 60_000_000 + seconds };
  const fits = isInt32(interval.months) && isInt32(interval.days) && Number.isSafeInteger(interval.micros);
  return fits ? interval : undefined;
}

function isInt32(value: number): boolean {
  return (value | 0) === value;
}
