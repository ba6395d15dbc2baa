import { parseInterval, type IntervalParts } from './interval-text.ts';
import type { TableColumns } from '../types/table-columns.ts';

/** Retention of rows, measured from the timestamp in a field. */
export interface Retention {
  /** ISO 8601, `P30D`. */
  readonly interval: string;
  readonly field: string;
}

/** PostgreSQL has timestamps from 4713 BC on. */
const MOST_MONTHS = 1000 * 12;
const MOST_DAYS = 366_000;
const MOST_MICROS = MOST_DAYS * 86_400_000_000;

/** Returns why a retention is invalid, as a sentence that names its member; null if it is valid. */
export function retentionProblem({ interval, field }: Retention, { columns }: TableColumns): string | null {
  const column = columns.find((candidate) => candidate.field.name === field);
  const name = JSON.stringify(field);
  if (column === undefined) return `field: the table has no field ${name}`;
  const { type } = column.field;
  if (type.kind !== 'PrimitiveType' || type.name !== 'timestamp') return `field: the field ${name} holds no timestamps`;
  const parts = parseInterval(interval);
  if (parts === undefined) return `interval: expected an interval such as "P30D" or "PT12H", found ${JSON.stringify(interval)}`;
  if (!isPositive(parts)) return `interval: ${JSON.stringify(interval)} is not positive`;
  const isTooLong = parts.months > MOST_MONTHS || parts.days > MOST_DAYS || parts.micros > MOST_MICROS;
  return isTooLong ? `interval: ${JSON.stringify(interval)} is more than 1000 years` : null;
}

function isPositive({ months, days, micros }: IntervalParts): boolean {
  return months >= 0 && days >= 0 && micros >= 0 && months + days + micros > 0;
}
