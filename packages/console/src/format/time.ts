/** The locale of dates and numbers: the reader's, if it is English, as all other texts are. */
export const LOCALE = navigator.language.startsWith('en') ? navigator.language : 'en-GB';

const DATE_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

/** `useNow` is at most this late: a moment that is nearer may have passed. */
const NOW_LATE_SECONDS = 30;

/** Units, their seconds, and the smallest duration that uses them: `in 90 days` is more precise than `in 3 months`. */
const UNITS: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly seconds: number; readonly from: number }[] = [
  { unit: 'year', seconds: 365 * 86_400, from: 2 * 365 * 86_400 },
  { unit: 'month', seconds: 30 * 86_400, from: 120 * 86_400 },
  { unit: 'day', seconds: 86_400, from: 86_400 },
  { unit: 'hour', seconds: 3600, from: 3600 },
  { unit: 'minute', seconds: 60, from: 60 },
];

/** Formats a moment in the reader's own time zone: `22 Nov 2026, 11:15`. */
export function formatTime(iso: string): string {
  return DATE_TIME.format(new Date(iso));
}

/** Formats the day of a moment in the reader's own time zone: `22 Nov 2026`. */
export function formatDate(iso: string): string {
  return DATE.format(new Date(iso));
}

/** Formats how far a moment is from now, in a unit that fits: `in 90 days`, `2 hours ago`, `just now`. */
export function formatRelative(iso: string, now: Date): string {
  const seconds = (new Date(iso).getTime() - now.getTime()) / 1000;
  const unit = UNITS.find(({ from }) => Math.abs(seconds) >= from);
  if (unit === undefined) return seconds > NOW_LATE_SECONDS ? 'in less than a minute' : 'just now';
  return RELATIVE.format(Math.round(seconds / unit.seconds), unit.unit);
}
