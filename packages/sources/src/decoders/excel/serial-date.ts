/** Built-in formats of dates and times, by their numbers. */
function isBuiltIn(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47 && id !== 46) || (id >= 50 && id <= 58);
}

/** Returns whether a number format shows a date or a time of day; elapsed hours are a number. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return isBuiltIn(id);
  const letters = code.replace(/"[^"]*"|\\.|_.|\*./g, '');
  if (/\[[hms]+\]/i.test(letters)) return false;
  return /[ymdhs]/i.test((letters.replace(/\[[^[\]]*\]/g, '').split(';')[0] ?? '').replace(/general/i, ''));
}

const DAY_MILLIS = 86_400_000;

/**
 * Converts days since the workbook's epoch to a date, to a time if there are no whole days, or to both. Returns null after
 * the year 9999.
 */
export function serialText(serial: number, is1904: boolean): string | null {
  if (serial < 0 || serial >= 2_958_466) return null;
  const millis = Math.round(serial * DAY_MILLIS);
  const days = Math.floor(millis / DAY_MILLIS);
  const time = new Date(millis - days * DAY_MILLIS).toISOString().slice(11, 23).replace('.000', '');
  if (days === 0 && !is1904) return time;
  // The other epoch has a 29th of February 1900, which never was.
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const date = new Date(epoch + days * DAY_MILLIS).toISOString().slice(0, 10);
  return time === '00:00:00' ? date : `${date} ${time}`;
}
