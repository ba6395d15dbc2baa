const MICROS_PER_DAY = 86_400_000_000n;

/** Days since 1970 as `2001-08-22`; years before 1 and past 9999 as the engine reads them. */
export function isoDate(days: number): string {
  const date = new Date(days * 86_400_000);
  if (Number.isNaN(date.getTime())) throw new RangeError(`no date is ${days} days from 1970`);
  const year = date.getUTCFullYear();
  const rest = date.toISOString().slice(-20, -14);
  return year > 0 ? `${String(year).padStart(4, '0')}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} (BC)`;
}

/** Microseconds since midnight as `01:02:03.456000`. */
export function isoTime(micros: bigint): string {
  const part = (divisor: bigint, modulus: bigint): string => String((micros / divisor) % modulus).padStart(2, '0');
  const fraction = String(micros % 1_000_000n).padStart(6, '0');
  return `${part(3_600_000_000n, 24n)}:${part(60_000_000n, 60n)}:${part(1_000_000n, 60n)}.${fraction}`;
}

/** Microseconds since 1970 as `2001-08-22 01:02:03.456000`. */
export function isoTimestamp(micros: bigint): string {
  let days = micros / MICROS_PER_DAY;
  if (micros % MICROS_PER_DAY < 0n) days -= 1n;
  const date = isoDate(Number(days));
  const time = isoTime(micros - days * MICROS_PER_DAY);
  return date.endsWith(' (BC)') ? `${date.slice(0, -5)} ${time} (BC)` : `${date} ${time}`;
}
