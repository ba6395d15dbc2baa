import { ownValue } from '../own-value.ts';
import type { PrimitiveName } from '../types/type.ts';

/** The types of moments and lengths of time. */
export type TemporalName = 'date' | 'time' | 'timestamp' | 'interval';

/** Whether a primitive type is one of date, time, timestamp, interval. */
export function isTemporalName(name: PrimitiveName): name is TemporalName {
  return name === 'date' || name === 'time' || name === 'timestamp' || name === 'interval';
}

/** The constant's text (see `Constant`) of a temporal text as written in a program; null where no template fits. */
export function readTemporal(type: TemporalName, text: string): string | null {
  return READERS[type](text.trim());
}

const READERS = {
  date: readDate,
  time: readTime,
  timestamp: readTimestamp,
  interval: readInterval,
} as const satisfies Record<TemporalName, (text: string) => string | null>;

const DATE = /^(-?\d{4,6})-(\d{1,2})-(\d{1,2})$/;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6})\d*)?)?$/;
const TIMESTAMP = /^(\S+?)(?:[T ]+(\S+?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

function readDate(text: string): string | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  return `${yearText(year)}-${pad(month)}-${pad(day)}`;
}

function daysInMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

function readTime(text: string): string | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? '0')];
  if (hour > 23 || minute > 59 || second > 59) return null;
  return `${pad(hour)}:${pad(minute)}:${pad(second)}.${(match[4] ?? '').padEnd(6, '0')}`;
}

function readTimestamp(text: string): string | null {
  const match = TIMESTAMP.exec(text);
  const date = readDate(match?.[1] ?? '');
  if (match === null || date === null) return null;
  const time = match[2] === undefined ? '00:00:00.000000' : readTime(match[2]);
  if (time === null) return null;
  const zone = match[3];
  const utc = zone === undefined || zone === 'Z' ? `${date} ${time}` : shiftToUtc(date, time, zone);
  return isInRange(utc) ? utc : null;
}

/** The first and the last moment that there are. */
const RANGE = { first: '-290308-12-22 00:00:00.000000', last: '294247-01-10 04:00:54.775806' } as const;

function isInRange(moment: string): boolean {
  const [year, first, last] = [moment, RANGE.first, RANGE.last].map((text) => Number.parseInt(text, 10)) as [number, number, number];
  if (year === first) return moment >= RANGE.first;
  return year === last ? moment <= RANGE.last : year > first && year < last;
}

/**
 * The moment in UTC: the date arithmetic of the platform in a year of our days, since the calendar repeats itself after 400 years and the platform's
 * dates end before ours; the fraction is kept apart, since it has milliseconds only.
 */
function shiftToUtc(date: string, time: string, zone: string): string {
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.slice(1).replace(':', '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || '0');
  const [year, month, day] = (DATE.exec(date) ?? []).slice(1).map(Number) as [number, number, number]; // as they have been read
  const [hour, minute, second] = time.split(/[:.]/).map(Number) as [number, number, number];
  const cycle = Math.floor(year / 400) * 400 - 2000;
  const moment = new Date(Date.UTC(year - cycle, month - 1, day, hour, minute - sign * minutes, second));
  const iso = moment.toISOString();
  return `${yearText(moment.getUTCFullYear() + cycle)}-${iso.slice(5, 10)} ${iso.slice(11, 19)}.${time.slice(9)}`;
}

const UNITS: Readonly<Record<string, readonly [months: number, days: number, micros: number]>> = {
  year: [12, 0, 0],
  month: [1, 0, 0],
  week: [0, 7, 0],
  day: [0, 1, 0],
  hour: [0, 0, 3_600_000_000],
  minute: [0, 0, 60_000_000],
  second: [0, 0, 1_000_000],
  millisecond: [0, 0, 1000],
  milli: [0, 0, 1000],
  microsecond: [0, 0, 1],
};

function readInterval(text: string): string | null {
  const clock = /^(-?)(\d+):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?$/.exec(text);
  if (clock !== null) {
    const [hours, minutes, seconds] = [Number(clock[2]), Number(clock[3]), Number(clock[4] ?? '0')];
    if (minutes > 59 || seconds > 59) return null;
    const micros = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + Number((clock[5] ?? '').padEnd(6, '0'));
    return `0 0 ${clock[1]}${micros}`;
  }
  return readIso(text) ?? readUnits(text) ?? readUnitsAndClock(text);
}

/** `1 day 04:05:06`, as SQL prints intervals. */
function readUnitsAndClock(text: string): string | null {
  const [, before = '', clock = ''] = /^(.*[a-z]),?\s+(-?\d+:\S+)$/i.exec(text) ?? [];
  const [units, time] = [before, clock].map((part) => (part === '' ? null : readInterval(part)));
  if (typeof units !== 'string' || typeof time !== 'string') return null;
  const parts = time.split(' ').map(Number);
  return units
    .split(' ')
    .map((part, i) => Number(part) + (parts[i] ?? 0))
    .join(' ');
}

const ISO =
  /^P(?:([+-]?\d+)Y)?(?:([+-]?\d+)M)?(?:([+-]?\d+)W)?(?:([+-]?\d+)D)?(?:T(?:([+-]?\d+)H)?(?:([+-]?\d+)M)?(?:([+-]?)(\d+)(?:\.(\d{1,6}))?S)?)?$/i;

/** `P1Y2M3DT4H5M6.7S`, as intervals are printed. */
function readIso(text: string): string | null {
  const match = /\d/.test(text) && !/T$/i.test(text) ? ISO.exec(text) : null;
  if (match === null) return null;
  const part = (group: number): number => Number(match[group] ?? 0);
  const seconds = part(8) * 1_000_000 + Number((match[9] ?? '').padEnd(6, '0'));
  const micros = (part(5) * 60 + part(6)) * 60_000_000 + (match[7] === '-' ? -seconds : seconds);
  const total = [part(1) * 12 + part(2), part(3) * 7 + part(4), micros];
  return total.every(Number.isSafeInteger) ? total.map((sum) => sum || 0).join(' ') : null;
}

/** `{ [-]number unit }`, in any order, at least one. */
function readUnits(text: string): string | null {
  const total: [number, number, number] = [0, 0, 0];
  const words = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  if (words.length === 0 || words.length % 2 !== 0) return null;
  for (let i = 0; i < words.length; i += 2) {
    const amount = words[i] ?? '';
    const unit = ownValue(UNITS, (words[i + 1] ?? '').replace(/s$/, ''));
    if (unit === undefined || !/^[+-]?\d+(\.\d+)?$/.test(amount)) return null;
    if (amount.includes('.') && unit[2] === 0) return null;
    total[0] += Number(amount) * unit[0];
    total[1] += Number(amount) * unit[1];
    total[2] += Math.round(Number(amount) * unit[2]);
  }
  return total.every(Number.isSafeInteger) ? total.map((part) => part || 0).join(' ') : null;
}

function yearText(year: number): string {
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
