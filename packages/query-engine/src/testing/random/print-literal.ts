import { decimalText } from './decimal.ts';
import type { Scalar } from './shape.ts';
import { intervalText, momentText } from './temporal.ts';
import type { Literal } from './term.ts';
import type { Decimal, Interval, Moment } from './value.ts';

/** A literal as programs have it. */
export function printLiteral(value: Literal['value'], shape: Scalar): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'object' && value !== null) return printScalar(value);
  if (shape === 'short') return `CAST(${String(value)} AS short)`;
  if (shape === 'long') return `${String(value)}L`;
  if (typeof value !== 'number') return String(value);
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : 'Inf';
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

function printScalar(value: Decimal | Moment | Interval): string {
  if (value.kind === 'decimal') return `${decimalText(value)}q`;
  return value.kind === 'interval' ? `interval "${intervalText(value)}"` : `${value.of} "${momentText(value)}"`;
}
