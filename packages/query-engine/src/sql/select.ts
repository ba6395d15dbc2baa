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

/** A query in parentheses: a relation after FROM, or the value of its only column and row. */
export function subquery(query: Sql): Sql {
  return SQL`(${query})`;
}

/** A table of WITH whose rows are computed once. */
export function materialized(table: Column, query: Sql): Sql {
  return SQL`${table} AS MATERIALIZED (${query})`;
}
