import type { Random } from '@svc/test-kit';

/** Types of values that PostgreSQL and the language treat alike. */
export const SQL_TYPES = ['int', 'text', 'date', 'timestamp', 'double', 'decimal', 'bool'] as const;
export type SqlType = (typeof SQL_TYPES)[number];

/** Names of the types in CAST, for both. */
export const CAST_TYPES: Readonly<Record<SqlType, string>> = {
  int: 'bigint',
  text: 'text',
  date: 'date',
  timestamp: 'timestamp',
  double: 'float8',
  decimal: 'numeric',
  bool: 'boolean',
};

/** The rows of a FROM item: its alias, and the types of its columns. */
export interface Rows {
  readonly alias: string;
  readonly columns: Readonly<Record<string, SqlType>>;
}

/** Queries within expressions, which the generator of queries provides. */
export interface Subqueries {
  /** A query of one value. */
  readonly value: (around: readonly Rows[], type: SqlType) => string;
  /** EXISTS or IN. */
  readonly condition: (around: readonly Rows[]) => string;
}

/** State of the generation of one query. */
export interface SqlGenerator {
  readonly random: Random;
  /** A name that the query does not have yet. */
  readonly fresh: (prefix: string) => string;
  readonly subqueries: Subqueries;
}

/** What an expression may be made of. */
export interface ExpressionScope {
  readonly rows: readonly Rows[];
  /** How deep it may be nested. */
  readonly depth: number;
  /** Whether it may hold queries. */
  readonly hasSubqueries: boolean;
}

/** True in so many of a hundred cases. */
export function chance({ random }: SqlGenerator, percent: number): boolean {
  return random.below(100) < percent;
}

/** Picks one of the makers and runs it. */
export function make({ random }: SqlGenerator, makers: readonly (() => string)[]): string {
  const maker = makers[random.below(makers.length)];
  if (maker === undefined) throw new Error('there is nothing to choose from');
  return maker();
}

/** Returns the columns of a type, with their aliases. */
function columnsOf(rows: readonly Rows[], type: SqlType): readonly string[] {
  return rows.flatMap(({ alias, columns }) =>
    Object.entries(columns)
      .filter(([, other]) => other === type)
      .map(([name]) => `${alias}.${name}`),
  );
}

/** Picks a column of a type; undefined if there is none. */
export function someColumn({ random }: SqlGenerator, rows: readonly Rows[], type: SqlType): string | undefined {
  const columns = columnsOf(rows, type);
  return columns[random.below(Math.max(1, columns.length))];
}

/** Returns the keys of all rows that have one: in their order no two rows are equal, unless an outer join left a key out. */
export function keysOf(rows: readonly Rows[]): readonly string[] {
  return rows.flatMap(({ alias, columns }) => ('id' in columns ? [`${alias}.id`] : []));
}
