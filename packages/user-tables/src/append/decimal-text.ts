import type { CopyWriter } from './copy-writer.ts';

/** A decimal: digits without leading zeros and how many of them stand after the point. */
export interface DecimalDigits {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly scale: number;
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
const MAX_SCALE = 18;
const MAX_WHOLE_DIGITS = 20;

/** Parses a decimal in any notation. Undefined if it is invalid or has more than 20 digits before or 18 after the point. */
export function parseDecimal(text: string): DecimalDigits | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [whole, fraction] = [match[2] ?? '', match[3] ?? ''];
  if (whole === '' && fraction === '') return undefined;
  const trimmed = withoutZerosBehind(whole + fraction);
  const scale = fraction.length - Number(match[4] ?? 0) - (whole.length + fraction.length - trimmed.length);
  const digits = trimmed.replace(/^0+/, '');
  if (digits === '') return { isNegative: false, digits: '0', scale: 0 };
  if (scale > MAX_SCALE || digits.length - scale > MAX_WHOLE_DIGITS) return undefined;
  return { isNegative: match[1] === '-', digits: scale < 0 ? digits + '0'.repeat(-scale) : digits, scale: Math.max(scale, 0) };
}

/** Without a regex, which would try the end of each run of zeros from each of its zeros. */
function withoutZerosBehind(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** The usual notation. */
export function printDecimal({ isNegative, digits, scale }: DecimalDigits): string {
  const padded = digits.padStart(scale + 1, '0');
  const text = scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  return isNegative ? `-${text}` : text;
}

const NUMERIC_NEGATIVE = 0x4000;

/** Writes a decimal as PostgreSQL's numeric: groups of four digits around the point. */
export function writeDecimal(writer: CopyWriter, { isNegative, digits, scale }: DecimalDigits): void {
  const padded = digits.padStart(scale + 1, '0');
  const [whole, fraction] = [padded.slice(0, padded.length - scale), padded.slice(padded.length - scale)];
  const wholeGroups = whole.padStart(Math.ceil(whole.length / 4) * 4, '0');
  const groups = (wholeGroups + fraction.padEnd(Math.ceil(fraction.length / 4) * 4, '0')).match(/\d{4}/g) ?? [];
  const isZero = digits === '0';
  writer.int32(8 + (isZero ? 0 : groups.length * 2));
  writer.int16(isZero ? 0 : groups.length);
  writer.int16(isZero ? 0 : wholeGroups.length / 4 - 1);
  writer.int16(isNegative ? NUMERIC_NEGATIVE : 0);
  writer.int16(scale);
  if (!isZero) for (const group of groups) writer.int16(Number(group));
}
