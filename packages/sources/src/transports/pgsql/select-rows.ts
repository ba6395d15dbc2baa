import { conditionSql, conditionsSql, orderSql, type FieldCondition, type ScanTop } from '@svc/pg-rows';

import type { RowNeeds } from '../../resolved-read.ts';
import { rowsSql, type PgRows } from './describe-rows.ts';
import type { ReadColumn } from './told-columns.ts';

/** A SELECT of the needed rows, and its fields. */
export interface RowSelect {
  readonly sql: string;
  /** The fields that it yields, by their index. */
  readonly fields: readonly number[];
}

/**
 * SQL of the needed columns of rows, with the conditions and the limit that are equivalent in PostgreSQL; each row ends in
 * one more cell, as the reader of such rows requires.
 */
export function selectRows(rows: PgRows, columns: readonly ReadColumn[], { needs, width }: { needs: RowNeeds; width: number }): RowSelect {
  const fields = needs.fields ?? columns.map((_, i) => i);
  const cells = fields.flatMap((index) => columns[index] ?? []).map(({ cell, column }) => cell.replaceAll('$x', `q.c${column}`));
  const where = conditionsSql(needs.conditions, (condition) => sqlOf(condition, columns[condition.field]));
  // A row that a condition drops later must not count.
  const limit = where.isExact ? needs.limit : null;
  const top = where.isExact && needs.top !== null && isOrderable(needs.top, columns) ? needs.top : null;
  const names = Array.from({ length: width }, (_, i) => `c${i + 1}`);
  const sql = [
    `SELECT ${[...cells, '1'].join(', ')} FROM ${rowsSql(rows)} AS q${width === 0 ? '' : ` (${names.join(', ')})`}`,
    ...(where.sql === null ? [] : [`WHERE ${where.sql}`]),
    ...(limit === null ? [] : [`LIMIT ${limit}`]),
    ...(top === null ? [] : [orderSql(top, (index) => orderedColumn(columns[index]))]),
  ].join(' ');
  return { sql, fields };
}

function sqlOf(condition: FieldCondition, column: ReadColumn | undefined): string | null {
  if (column === undefined) throw new Error('The plan uses a field that is not there.');
  const name = `q.c${column.column}`;
  if (condition.kind === 'null') return column.isNullComparable ? conditionSql(condition, name) : null;
  const { compared } = column;
  if (compared === null) return null;
  const value = (text: string): string => compared.value.replaceAll('$v', () => text);
  const written =
    condition.kind === 'in' ? { ...condition, values: condition.values.map(value) } : { ...condition, value: value(condition.value) };
  return conditionSql(written, compared.column.replaceAll('$x', name));
}

function isOrderable({ order }: ScanTop, columns: readonly ReadColumn[]): boolean {
  return order.every(({ field }) => (columns[field]?.compared ?? null) !== null);
}

function orderedColumn(column: ReadColumn | undefined) {
  if (column === undefined || column.compared === null) throw new Error('The rows are not ordered by this column.');
  return { sql: column.compared.column.replaceAll('$x', `q.c${column.column}`), isNullable: column.field.type.isNullable };
}
