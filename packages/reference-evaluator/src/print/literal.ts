import type { Literal } from '../program/term.ts';
import { decimalText } from '../values/decimal.ts';
import type { Scalar } from '../values/shape.ts';
import { intervalText, momentText } from '../values/temporal.ts';
import type { Bytes, Decimal, Interval, Moment } from '../values/value.ts';

/** A literal as programs have it. */
export function printLiteral(value: Literal['value'], shape: Scalar): string {
  // In double quotes it may be the name of a field.
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'object' && value !== null) return printScalar(value);
  if (shape === 'short' || shape === 'byte') return `CAST(${String(value)} AS ${shape})`;
  if (shape === 'long') return `${String(value)}L`;
  if (typeof value !== 'number') return String(value);
  if (shape === 'float') return Number.isFinite(value) ? `${value}f` : `CAST(${Number.isNaN(value) ? 'NaN' : 'Inf'} AS float)`;
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : 'Inf';
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

function printScalar(value: Decimal | Moment | Interval | Bytes): string {
  if (value.kind === 'bytes') return `FROM_HEX("${value.hex}")`;
  if (value.kind === 'decimal') return `${decimalText(value)}q`;
  return value.kind === 'interval' ? `interval "${intervalText(value)}"` : `${value.of} "${momentText(value)}"`;
}

/** Prints a literal, or its bare text beside a value of its type. */
export function printConstant({ value, shape, isText }: Literal): string {
  if (isText !== true || typeof value !== 'object' || value === null) return printLiteral(value, shape);
  return JSON.stringify(value.kind === 'interval' ? intervalText(value) : value.kind === 'moment' ? momentText(value) : '');
}
