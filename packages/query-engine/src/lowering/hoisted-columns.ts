import { isSameSql, usesColumn } from '../sql/inspect-sql.ts';
import { select, subquery } from '../sql/select.ts';
import { aliased, type Sql } from '../sql/sql.ts';
import type { LoweringContext } from './lowering-context.ts';
import { freshColumn } from './lowering-context.ts';
import type { HoistedColumn, HoistedColumns } from './scope.ts';

/** Collects columns; equal SQL is computed once. */
export function createHoistedColumns(context: LoweringContext): HoistedColumns {
  const columns: HoistedColumn[] = [];
  return {
    columns,
    add: (sql, facts = {}) => {
      const known = facts.isVolatile === true ? undefined : columns.find((column) => isSameSql(column.sql, sql));
      if (known !== undefined) return known.name;
      const name = freshColumn(context, 'c');
      columns.push({ ...facts, name, sql });
      return name;
    },
  };
}

/** Outside of all rows: each relation and value below it hoists its own columns. */
export const NO_HOISTED_COLUMNS: HoistedColumns = {
  columns: [],
  add: () => {
    throw new Error('nothing is computed before all rows');
  },
};

/** Returns the FROM text with hoisted columns; each may use those before it. */
export function withHoistedColumns(from: Sql, hoisted: HoistedColumns): Sql {
  let result = from;
  let level: HoistedColumn[] = [];
  const close = (): void => {
    if (level.length > 0) result = subquery(select({ takesAll: true, items: level.map(aliased), from: result }));
    level = [];
  };
  for (const column of hoisted.columns) {
    if (usesColumn(column.sql, new Set(level.map(({ name }) => name.name)))) close();
    level.push(column);
  }
  close();
  return result;
}
