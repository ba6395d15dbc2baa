import { asTimestamp, momentOf, momentText, partOfMoment } from './temporal.ts';
import type { Moment } from './value.ts';
import { RunTimeError, Unpromised } from './value.ts';

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const padded = (value: bigint, length: number): string => String(value).padStart(length, '0');

/** Prints each field of a template. */
const LETTERS: Readonly<Record<string, (moment: Moment) => string>> = {
  yyyy: (moment) => padded(partOfMoment('YEAR', moment), 4),
  MM: (moment) => padded(partOfMoment('MONTH', moment), 2),
  MMM: (moment) => (MONTHS[Number(partOfMoment('MONTH', moment)) - 1] ?? '').slice(0, 3),
  dd: (moment) => padded(partOfMoment('DAY', moment), 2),
  d: (moment) => padded(partOfMoment('DAY', moment), 1),
  D: (moment) => padded(partOfMoment('DAY_OF_YEAR', moment), 1),
  EEEE: (moment) => DAYS[Number(partOfMoment('DAY_OF_WEEK', moment)) - 1] ?? '',
  HH: (moment) => padded(partOfMoment('HOUR', moment), 2),
  hh: (moment) => padded(((partOfMoment('HOUR', moment) + 11n) % 12n) + 1n, 2),
  a: (moment) => (partOfMoment('HOUR', moment) < 12n ? 'AM' : 'PM'),
  mm: (moment) => padded(partOfMoment('MINUTE', moment), 2),
  ss: (moment) => padded(partOfMoment('SECOND', moment), 2),
  SSS: (moment) => padded(partOfMoment('MILLIS', moment), 3),
};

/** FORMAT of a moment. */
export function formatted(moment: Moment, template: string): string {
  if (moment.of !== 'time' && (partOfMoment('YEAR', moment) < 1n || partOfMoment('YEAR', moment) > 9999n))
    throw new Unpromised('far moments');
  return template.replace(/[A-Za-z]+/g, (letters) => LETTERS[letters]?.(moment) ?? '');
}

/** Implements TO_DATE and TO_TIMESTAMP with a template of digits only, strictly. */
export function readBy(text: string, template: string, of: 'date' | 'timestamp'): Moment {
  const names: string[] = [];
  const pattern = template.replace(/[A-Za-z]+/g, (letters) => {
    names.push(letters);
    return `(\\d{${letters.length}})`;
  });
  const found = new RegExp(`^${pattern}$`, 'u').exec(text);
  if (found === null) throw new RunTimeError('does not fit the template');
  const valueOf = (letters: string, otherwise: string): string => found[names.indexOf(letters) + 1] ?? otherwise;
  const part = (letters: string): string => (names.includes(letters) ? valueOf(letters, '00') : '00');
  const day = `${part('yyyy')}-${part('MM')}-${part('dd')}`;
  if (Number(part('HH')) > 23 || Number(part('mm')) > 59 || Number.isNaN(Date.parse(day))) throw new RunTimeError('there is no such date');
  const date = momentOf('date', day);
  if (momentText(date) !== day) throw new RunTimeError('there is no such date');
  return of === 'date' ? date : { ...asTimestamp(date), value: asTimestamp(date).value + minutes(part('HH'), part('mm')) };
}

const minutes = (hour: string, minute: string): bigint => (BigInt(hour) * 60n + BigInt(minute)) * 60_000_000n;
