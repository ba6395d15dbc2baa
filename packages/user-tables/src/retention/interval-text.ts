/** An interval in the three parts that PostgreSQL does not mix. */
export interface IntervalParts {
  readonly months: number;
  readonly days: number;
  readonly micros: number;
}

const INTERVAL =
  /^P(?=.)(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)W)?(?:(-?\d+)D)?(?:T(?=.)(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d{1,6}))?S)?)?$/;

/** Reads an ISO 8601 duration as the service writes it, `P1Y2M3DT4H5M6.007S`, each part with a sign of its own; undefined for any other text. */
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
