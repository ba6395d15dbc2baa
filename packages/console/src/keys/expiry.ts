import { getLocalTimeZone, now, type ZonedDateTime } from '@internationalized/date';

/** Terms that are offered for a new key, in days; `date` lets the reader pick one. */
export const TERMS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'Another date' },
] as const;
export type Term = (typeof TERMS)[number]['value'];

/** Keys valid for longer than this cause a warning. */
const LONG_TERM_DAYS = 366;

/** Returns the time in a number of days, in the reader's time zone. */
export function daysFromNow(days: number): ZonedDateTime {
  return now(getLocalTimeZone()).add({ days }).set({ second: 0, millisecond: 0 });
}

/** Reports whether a key would be valid for more than a year. */
export function isLongTerm(moment: ZonedDateTime): boolean {
  return moment.compare(daysFromNow(LONG_TERM_DAYS)) > 0;
}

/** The reader's time zone by its name: `Europe/Paris`. */
export function timeZoneName(): string {
  return getLocalTimeZone().replaceAll('_', ' ');
}
