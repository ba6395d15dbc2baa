import { someColumn } from '../sql/inspect-sql.ts';
import { materialized, select, subquery } from '../sql/select.ts';
import { SQL, type Sql } from '../sql/sql.ts';
import type { LoweringContext } from './lowering-context.ts';
import { freshColumn } from './lowering-context.ts';
import { byPosition } from './scalars/sort-key.ts';
import type { RowTable } from './scope.ts';
import { withColumns, type Rows } from './select/rows.ts';

/**
 * Puts rows into a table, with their numbers. The engine decorrelates a subquery by the values that it uses of the row around: by a
 * list, each of its elements is repeated with all of them. A subquery that reads the list from the table depends on a number only.
 */
export function asRowTable(context: LoweringContext, rows: Rows): Rows {
  const [name, number] = [freshColumn(context, 'd'), freshColumn(context, 'k')];
  const numbered = withColumns(rows, [{ name: number, sql: SQL`row_number() OVER ()` }]);
  context.tables.push(materialized(name, select({ takesAll: true, from: numbered.from })));
  const scope = { ...rows.scope, rowTable: { name, number, columns: numbered.columns } };
  return { ...numbered, from: name, scope, keys: rows.keys.length === 0 ? [byPosition(number)] : rows.keys };
}

/** Returns a value of the row around as the one row of a subquery; null if it is more than columns of the table. */
export function fromRowTable(context: LoweringContext, table: RowTable, value: Sql): { readonly from: Sql; readonly value: Sql } | null {
  if (someColumn(value, (column) => !table.columns.has(column))) return null;
  const [own, number] = [freshColumn(context, 'c'), freshColumn(context, 'k')];
  const rows = subquery(select({ items: [SQL`${value} AS ${own}`, SQL`${table.number} AS ${number}`], from: table.name }));
  return { from: subquery(select({ items: [own], from: rows, where: [SQL`${number} = ${table.number}`] })), value: own };
}
