import type { FieldCondition, ScanCondition, ScanConstant } from '@svc/pg-rows';
import { assertNever } from '@svc/query-language';

import type { BoundKind, ColumnBounds, RowGroup } from './row-groups.ts';

/**
 * Returns whether a row of the group may satisfy all conditions, by its statistics; true if they do not suffice. `columnOf`
 * returns the position of a field's column in the file, null if it is not there.
 */
export function mayHold(group: RowGroup, conditions: readonly ScanCondition[], columnOf: (field: number) => number | null): boolean {
  return conditions.every((condition) => {
    if (condition.kind === 'any') return condition.alternatives.some((alternative) => mayHold(group, alternative, columnOf));
    const column = columnOf(condition.field);
    const bounds = column === null ? undefined : group.columns.get(column);
    return bounds === undefined || mayMeet(bounds, condition);
  });
}

function mayMeet(bounds: ColumnBounds, condition: FieldCondition): boolean {
  const { nulls, values } = bounds;
  if (condition.kind === 'null') return condition.isNull ? nulls !== 0 : nulls === null || nulls !== values;
  // No comparison with NULL is true.
  if (nulls !== null && nulls === values) return false;
  return condition.kind === 'in'
    ? condition.constants.some((constant) => mayCompare(bounds, '=', constant))
    : mayCompare(bounds, condition.operator, condition.constant);
}

type Operator = Extract<FieldCondition, { readonly kind: 'compare' }>['operator'];

function mayCompare({ kind, min, max }: ColumnBounds, operator: Operator, constant: ScanConstant): boolean {
  const value = valueOf(constant, kind);
  if (value === null) return true;
  const isBelow = (or: 'equal' | 'not'): boolean => {
    const order = min === null ? -1 : compare(min, value);
    return order < 0 || (or === 'equal' && order === 0);
  };
  const isAbove = (or: 'equal' | 'not'): boolean => {
    if (max === null || startsWith(value, max)) return true;
    const order = compare(max, value);
    return order > 0 || (or === 'equal' && order === 0);
  };
  switch (operator) {
    case '=':
      return isBelow('equal') && isAbove('equal');
    case '<':
      return isBelow('not');
    case '<=':
      return isBelow('equal');
    case '>':
      return isAbove('not');
    case '>=':
      return isAbove('equal');
    case '<>':
      return true;
    default:
      return assertNever(operator);
  }
}

/** Some writers truncate a long maximum without incrementing it: values that start with it may be greater. */
function startsWith(value: bigint | Buffer, max: bigint | Buffer): boolean {
  return typeof value !== 'bigint' && typeof max !== 'bigint' && value.length > max.length && value.subarray(0, max.length).equals(max);
}

/** Returns a negative number if the first value is smaller. */
function compare(a: bigint | Buffer, b: bigint | Buffer): number {
  if (typeof a === 'bigint' || typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  return Buffer.compare(a, b);
}

const INTEGERS: ReadonlySet<string> = new Set(['byte', 'short', 'int', 'long']);

/** Converts a constant to the kind of the column's bounds. Returns null if the kinds differ. */
function valueOf({ type, text }: ScanConstant, kind: BoundKind): bigint | Buffer | null {
  if (kind === 'integer') return INTEGERS.has(type) && /^-?\d+$/.test(text) ? BigInt(text) : null;
  if (type !== kind) return null;
  if (kind === 'string') return Buffer.from(text);
  const [, day = '', time = '00:00:00', fraction = ''] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?$/.exec(text) ?? [];
  const millis = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(millis)) return null;
  return kind === 'date' ? BigInt(millis / DAY_MILLIS) : BigInt(millis) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

const DAY_MILLIS = 86_400_000;
