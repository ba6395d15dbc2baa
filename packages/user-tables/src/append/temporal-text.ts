/** An interval in three parts that neither PostgreSQL nor the engine converts into each other. */
export interface IntervalParts {
  readonly months: number;
  readonly days: number;
  readonly micros: number;
}

const MICROS_PER_DAY = 86_400_000_000;

const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?$/;
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const INTERVAL =
  /^P(?=.)(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)W)?(?:(-?\d+)D)?(?:T(?=.)(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d{1,6}))?S)?)?$/;

/** Parses a date such as `2024-02-29` as days since 2000-01-01. Undefined outside the years 1 to 9999 or if invalid. */
export function parseDate(text: string): number | undefined {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return undefined;
  return daysOf(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
}

/** Returns the days since 2000-01-01. Undefined outside the years 1 to 9999, if the date is invalid, or if a part is NaN. */
export function daysOf(year: number, month: number, day: number): number | undefined {
  // NaN is in no range.
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined;
  // Years that begin in March have their odd day at the end.
  const [marchYear, marchMonth] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((153 * marchMonth + 2) / 5) + day - 1 - DAYS_TO_2000;
}

/** Days from the first of March of a year 0 to 2000-01-01. */
const DAYS_TO_2000 = 730_425;

/** Parses digits. Returns NaN if one is not a digit. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
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

/**
 * Parses `2024-02-29T01:02:03.456`, with a blank for the T, or a date alone, as microseconds since 2000-01-01. An offset
 * converts it to UTC.
 */
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

const MOST_OFFSET_MINUTES = 18 * 60;

function parseOffset(text: string | undefined): number | undefined {
  if (text === undefined || text === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', ''))];
  if (minutes > 59 || hours * 60 + minutes > MOST_OFFSET_MINUTES) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000_000;
}

/** Parses an ISO 8601 duration as the service prints it: `P1Y2M3DT4H5M6.007S`, each part with its own sign. */
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
