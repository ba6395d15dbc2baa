import { UsageError } from '../failures/cli-errors.ts';

/** Returns a parser of an integer option. */
export function wholeNumber(name: string, { min, max }: { readonly min: number; readonly max: number }): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new UsageError(`${name} takes a whole number from ${min} to ${max}, found ${JSON.stringify(text)}.`);
    return value;
  };
}

const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);

/** Parses a time from now, such as `30s`, `12h` or `90d`, in seconds. */
export function parseSeconds(name: string, text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = SECONDS.get(unit);
  if (count === undefined || seconds === undefined)
    throw new UsageError(`${name} takes a time such as 30s, 5m, 12h or 90d, found ${JSON.stringify(text)}.`);
  return Number(count) * seconds;
}

/** Parses a moment: ISO 8601 in UTC, or a time from now. */
export function parseMoment(name: string, text: string, now: Date): string {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return text;
  return new Date(now.getTime() + parseSeconds(name, text) * 1000).toISOString();
}

/** Parses a limit of calls in a time, such as `100/60s`. */
export function parseRateLimit(text: string): { readonly requests: number; readonly seconds: number } {
  const [, requests, time] = /^(\d{1,7})\/(\d+[smhd])$/.exec(text) ?? [];
  if (requests === undefined || time === undefined)
    throw new UsageError(`--rate-limit takes calls in a time such as 100/60s, found ${JSON.stringify(text)}.`);
  return { requests: Number(requests), seconds: parseSeconds('--rate-limit', time) };
}

/** Collects the values of an option that is given several times. */
export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}
