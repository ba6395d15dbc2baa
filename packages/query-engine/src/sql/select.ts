import { joinSql, NOTHING, SQL, verbatim, type Column, type Sql } from './sql.ts';

/** The clauses of a SELECT; those that are absent, null or empty are left out. */
export interface SelectClauses {
  readonly isDistinct?: boolean;
  /** All columns of `from`, before the items. */
  readonly takesAll?: boolean;
  readonly items?: readonly Sql[];
  readonly from: Sql;
  /** Conditions, all of which must hold. */
  readonly where?: readonly Sql[];
  readonly groupBy?: Sql | null;
  readonly orderBy?: readonly Sql[];
  readonly limit?: Sql | null;
  readonly offset?: Sql | null;
}

/** A SELECT without parentheses. */
export function select({
  isDistinct,
  takesAll,
  items = [],
  from,
  where = [],
  groupBy = null,
  orderBy = [],
  limit = null,
  offset = null,
}: SelectClauses): Sql {
  const all = takesAll === true ? [verbatim('*'), ...items] : items;
  const clauses = [
    ...(where.length === 0 ? [] : [SQL` WHERE ${joinSql(where, ' AND ')}`]),
    ...(groupBy === null ? [] : [SQL` GROUP BY ${groupBy}`]),
    ...(orderBy.length === 0 ? [] : [SQL` ORDER BY ${joinSql(orderBy)}`]),
    ...(limit === null ? [] : [SQL` LIMIT ${limit}`]),
    ...(offset === null ? [] : [SQL` OFFSET ${offset}`]),
  ];
  return SQL`SELECT ${isDistinct === true ? verbatim('DISTINCT ') : NOTHING}${joinSql(all)} FROM ${from}${joinSql(clauses, '')}`;
}

/** The tables of queries that read a whole one. */
const WHOLE_TABLES = new WeakMap<Sql, Sql>();

/**
 * All rows of a table of WITH, under new names of its columns. As a relation after FROM it is the table itself: in a correlated
 * subquery the engine compares all rows of a subquery over such a table with all rows around.
 */
export function wholeTable(table: Column, alias: Column, columns: readonly Column[]): Sql {
  return wholeRelation(SQL`${table} AS ${alias}(${joinSql(columns)})`);
}

/** All rows of a table, under its own names. */
export function wholeRelation(table: Sql): Sql {
  const query = select({ takesAll: true, from: table });
  WHOLE_TABLES.set(query, table);
  return query;
}

/** Returns whether a query is all rows of a table. */
export function isWholeRelation(query: Sql): boolean {
  return WHOLE_TABLES.has(query);
}

/** A query in parentheses: a relation after FROM, or the value of its only column and row. */
export function subquery(query: Sql): Sql {
  return WHOLE_TABLES.get(query) ?? SQL`(${query})`;
}

/** A table of WITH whose rows are computed once. */
export function materialized(table: Column, query: Sql): Sql {
  return SQL`${table} AS MATERIALIZED (${query})`;
}
