import { ReadFailure } from '@svc/text-formats';

const MICROS_PER_DAY = 86_400_000_000n;

/** The days of the last and, before 1970, the first date that there is. */
const MOST_DAYS = 2_147_483_646;

/**
 * Days since 1970 as `2001-08-22`, in the calendar of today for all years; before year 1 they count as in ISO 8601:
 * `0000`, `-0001`. Fails with a ReadFailure past the last date.
 */
export function isoDate(days: number): string {
  if (Math.abs(days) > MOST_DAYS) throw new ReadFailure('unreadable', 'a date is past the last that there is');
  // Years begin in March here, so that the odd day is the last of one; eras are 400 years.
  const fromMarch = days + 719_468;
  const era = Math.floor(fromMarch / 146_097);
  const dayOfEra = fromMarch - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fifth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fifth < 10 ? fifth + 3 : fifth - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  const day = dayOfYear - Math.floor((153 * fifth + 2) / 5) + 1;
  return `${year < 0 ? '-' : ''}${digits(Math.abs(year), 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

/**
 * Prints microseconds since midnight as `01:02:03.456`, or with six digits if needed. Fails with a ReadFailure if they
 * are out of range.
 */
export function isoTime(micros: bigint): string {
  if (micros < 0n || micros >= MICROS_PER_DAY) throw new ReadFailure('unreadable', 'a time is none of a day');
  const seconds = micros / 1_000_000n;
  const rest = micros % 1_000_000n;
  const fraction = rest % 1000n === 0n ? digits(rest / 1000n, 3) : digits(rest, 6);
  return `${digits(seconds / 3600n, 2)}:${digits((seconds / 60n) % 60n, 2)}:${digits(seconds % 60n, 2)}.${fraction}`;
}

/** Microseconds since 1970 as `2001-08-22T01:02:03.456`. */
export function isoTimestamp(micros: bigint): string {
  const days = micros / MICROS_PER_DAY - (micros % MICROS_PER_DAY < 0n ? 1n : 0n);
  return `${isoDate(Number(days))}T${isoTime(micros - days * MICROS_PER_DAY)}`;
}

function digits(value: bigint | number, count: number): string {
  return String(value).padStart(count, '0');
}
