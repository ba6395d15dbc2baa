import { someColumn } from '../sql/inspect-sql.ts';
import { select, subquery } from '../sql/select.ts';
import { SQL, type Column, type Sql } from '../sql/sql.ts';
import type { LoweringContext } from './lowering-context.ts';
import { addRowsTable, freshColumn } from './lowering-context.ts';
import { byPosition } from './scalars/sort-key.ts';
import type { RowTable } from './scope.ts';
import { withColumns, type Rows } from './select/rows.ts';

/** Rows that are a common table expression, each with its number, by which they are ordered if they have no other order. */
export interface NumberedTable {
  readonly rows: Rows;
  readonly name: Column;
  readonly number: Column;
}

/** Puts rows into a table, with their numbers. */
export function numberedTable(context: LoweringContext, rows: Rows): NumberedTable {
  const number = freshColumn(context, 'k');
  const numbered = withColumns(rows, [{ name: number, sql: SQL`row_number() OVER ()` }]);
  const name = addRowsTable(context, numbered.from);
  return { rows: { ...numbered, from: name, keys: rows.keys.length === 0 ? [byPosition(number)] : rows.keys }, name, number };
}

/**
 * Makes rows a table from which subqueries read their lists. The engine decorrelates a subquery by the values that it uses of the row
 * around: by a list, each of its elements is repeated with all of them. A subquery that reads the list from the table depends on a number only.
 */
export function asRowTable(context: LoweringContext, given: Rows): Rows {
  const { rows, name, number } = numberedTable(context, given);
  return { ...rows, scope: { ...rows.scope, rowTable: { name, number, columns: rows.columns } } };
}

/** Returns a value of the row around as the one row of a subquery; null if it is more than columns of the table. */
export function fromRowTable(context: LoweringContext, table: RowTable, value: Sql): { readonly from: Sql; readonly value: Sql } | null {
  if (someColumn(value, (column) => !table.columns.has(column))) return null;
  const [own, number] = [freshColumn(context, 'c'), freshColumn(context, 'k')];
  const rows = subquery(select({ items: [SQL`${value} AS ${own}`, SQL`${table.number} AS ${number}`], from: table.name }));
  return { from: subquery(select({ items: [own], from: rows, where: [SQL`${number} = ${table.number}`] })), value: own };
}
