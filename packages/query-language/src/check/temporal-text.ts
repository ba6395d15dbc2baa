import { MOST_TEMPORAL_CHARACTERS } from '../diagnostics/diagnostic-messages.ts';
import type { PrimitiveName, TemporalName, Type } from '../types/type.ts';
import { readInterval } from './interval-text.ts';

/** Returns whether a primitive type is a date, time, timestamp or interval. */
export function isTemporalName(name: PrimitiveName): name is TemporalName {
  return name === 'date' || name === 'time' || name === 'timestamp' || name === 'interval';
}

/** Returns which temporal type a type is, nullable or not; null for others. */
export function temporalName(type: Type): TemporalName | null {
  return type.kind === 'PrimitiveType' && isTemporalName(type.name) ? type.name : null;
}

/** Parses a temporal literal into the text of a constant (see `Constant`); null if no template matches. */
export function readTemporal(type: TemporalName, text: string): string | null {
  return text.length > MOST_TEMPORAL_CHARACTERS ? null : READERS[type](text.trim());
}

const READERS = {
  date: readDate,
  time: readTime,
  timestamp: readTimestamp,
  interval: readInterval,
} as const satisfies Record<TemporalName, (text: string) => string | null>;

const DATE = /^(-?\d{4,6})-(\d{1,2})-(\d{1,2})$/;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6})\d*)?)?$/;
/** Pattern of an offset from UTC, at most 18 hours. Valid in RE2 too. */
export const OFFSET_TEXT = '[+-](?:(?:0[0-9]|1[0-7])(?::?[0-5][0-9])?|18(?::?00)?)';

/** The parts share no characters, so that matching takes linear time. */
const TIMESTAMP = new RegExp(String.raw`^([-\d]+)(?:[T ]+([\d:.]+)\s*(Z|${OFFSET_TEXT})?)?$`);

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

/** The first and the last timestamp. */
const RANGE = { first: '-290308-12-22 00:00:00.000000', last: '294247-01-10 04:00:54.775806' } as const;

function isInRange(moment: string): boolean {
  const [year, first, last] = [moment, RANGE.first, RANGE.last].map((text) => Number.parseInt(text, 10)) as [number, number, number];
  if (year === first) return moment >= RANGE.first;
  return year === last ? moment <= RANGE.last : year > first && year < last;
}

/**
 * Converts a timestamp to UTC. Uses the platform's date arithmetic in an equivalent year, since the calendar repeats every
 * 400 years and the platform's range is smaller; the fraction is kept separately, since the platform has milliseconds only.
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

function yearText(year: number): string {
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
