import { ownValue } from '../own-value.ts';

const WHOLE = String.raw`[-+]?\d+`;
const FRACTION = String.raw`(?:\.\d{1,6})?`;
const GAP = String.raw`[\s,]+`;
const CLOCK = String.raw`-?\d+:[0-5]\d(?::[0-5]\d${FRACTION})?`;
const AMOUNT = `(?:${WHOLE}${GAP}(?:year|month|week|day)s?|${WHOLE}${FRACTION}${GAP}(?:hour|minute|second|milli(?:second)?|microsecond)s?)`;
const ISO_TIME = `T(?:${some([`${WHOLE}H`, `${WHOLE}M`, `${WHOLE}${FRACTION}S`])})`;
const ISO = `P(?:(?:${some(['Y', 'M', 'W', 'D'].map((letter) => WHOLE + letter))})(?:${ISO_TIME})?|${ISO_TIME})`;

/** Pattern of a sequence of optional parts, at least one of which is present. */
function some(parts: readonly string[]): string {
  return parts
    .map(
      (part, i) =>
        part +
        parts
          .slice(i + 1)
          .map((later) => `(?:${later})?`)
          .join(''),
    )
    .join('|');
}

/**
 * Pattern of an interval's whole text, in any case: amounts with units and a clock (`1 year 2 days 04:05:06.7`), or the ISO
 * form in which intervals are printed (`P1Y2DT4H5M6.7S`). Valid in RE2 too.
 */
export const INTERVAL_TEXT = String.raw`\s*(?:${CLOCK}|${AMOUNT}(?:${GAP}${AMOUNT})*(?:${GAP}${CLOCK})?|${ISO})\s*`;

const WRITTEN = new RegExp(`^(?:${INTERVAL_TEXT})$`, 'i');

const MOST_WHOLE = 2 ** 31 - 1;

/**
 * Parses an interval into months, days and microseconds, in the form of a constant's text. Null if the text is no interval
 * or is too long.
 */
export function readInterval(text: string): string | null {
  const total = WRITTEN.test(text) ? (readClock(text) ?? readIso(text) ?? readUnitsAndClock(text)) : null;
  if (total === null) return null;
  const [months, days, micros] = total;
  const fits = Math.abs(months) <= MOST_WHOLE && Math.abs(days) <= MOST_WHOLE && Number.isSafeInteger(micros);
  return fits ? total.map((sum) => sum || 0).join(' ') : null;
}

/** Months, days, microseconds. */
type Parts = readonly [months: number, days: number, micros: number];

const UNITS: Readonly<Record<string, Parts>> = {
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

function readClock(text: string): Parts | null {
  const [, sign, hours, minutes, seconds = '0', fraction = ''] = /^\s*(-?)(\d+):(\d+)(?::(\d+)(?:\.(\d+))?)?\s*$/.exec(text) ?? [];
  if (hours === undefined) return null;
  const micros = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000_000 + Number(fraction.padEnd(6, '0'));
  return [0, 0, sign === '-' ? -micros : micros];
}

const ISO_PARTS =
  /^\s*P(?:([-+]?\d+)Y)?(?:([-+]?\d+)M)?(?:([-+]?\d+)W)?(?:([-+]?\d+)D)?(?:T(?:([-+]?\d+)H)?(?:([-+]?\d+)M)?(?:([-+]?)(\d+)(?:\.(\d+))?S)?)?\s*$/i;

/** `P1Y2M3DT4H5M6.7S`, as intervals are printed. */
function readIso(text: string): Parts | null {
  const match = ISO_PARTS.exec(text);
  if (match === null) return null;
  const part = (group: number): number => Number(match[group] ?? 0);
  const seconds = part(8) * 1_000_000 + Number((match[9] ?? '').padEnd(6, '0'));
  const micros = (part(5) * 60 + part(6)) * 60_000_000 + (match[7] === '-' ? -seconds : seconds);
  return [part(1) * 12 + part(2), part(3) * 7 + part(4), micros];
}

/** `{ [-]number unit }`, in any order, and maybe a clock behind them: `1 day 04:05:06`, as SQL prints intervals. */
function readUnitsAndClock(text: string): Parts | null {
  const clock = /-?\d+:\S+\s*$/.exec(text);
  const total: [number, number, number] = [...((clock === null ? null : readClock(clock[0])) ?? [0, 0, 0])];
  const units = clock === null ? text : text.slice(0, clock.index);
  for (const [, amount, word = ''] of units.toLowerCase().matchAll(/([-+]?[\d.]+)[\s,]+([a-z]+)/g)) {
    const unit = ownValue(UNITS, word.replace(/s$/, ''));
    if (unit === undefined) return null;
    for (const place of [0, 1, 2] as const) total[place] += Math.round(Number(amount) * unit[place]);
  }
  return total;
}
