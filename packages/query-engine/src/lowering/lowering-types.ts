import type { Constant, SortKey, Type } from '@svc/query-language';

import type { Sql } from '../sql/sql.ts';

/** An argument of a call, lowered. */
export interface LoweredArgument {
  readonly sql: Sql;
  readonly type: Type;
  /** Undefined if the argument is not constant. */
  readonly constant: Constant['value'] | undefined;
}

/** The most that one value may have if the program makes it long. */
export interface ValueLimits {
  readonly elements: number;
  readonly characters: number;
  readonly kilobytes: number;
  /** The words of its failure that say how often it is made. */
  readonly each: string;
}

/** Context in which one node is lowered. */
export interface CallContext {
  /** The type of the result. */
  readonly type: Type;
  /** SQL of the given type that fails, when it is evaluated, with this message at the node's place. */
  readonly raise: (message: string, type: Type) => Sql;
  /** The same with a message that is SQL of a string which is never NULL. */
  readonly raiseText: (messageSql: Sql, type: Type) => Sql;
  /** Puts the SQL of a cast on its own line, so that its failure is reported at the node's span. */
  readonly castLine: (sql: Sql) => Sql;
  /** True within TRY, where the engine allows no volatile expression. */
  readonly isInTry: boolean;
  /** True if failures are recorded, and evaluation continues with NULL. */
  readonly isNoted: boolean;
  /** True if fallible parts must report their position. */
  readonly hasErrorPositions: boolean;
  /** Limits of a long value; null for another. */
  readonly limits: ValueLimits | null;
  readonly functionName: string;
}

/** The SQL of a scalar function; NULL of NULL arguments is its business. */
export type FunctionLowering = (args: readonly LoweredArgument[], call: CallContext) => Sql;

/** The direction of a sort key. */
export type SortDirection = Pick<SortKey, 'isDescending' | 'areNullsFirst'>;

/** Clauses of an aggregate or window function in SQL. */
export interface AggregateRows {
  /** `DISTINCT ` or nothing: precedes the arguments. */
  readonly distinct: Sql;
  /** ` FILTER (…)`, ` OVER (…)`, both or empty: follows the closing parenthesis of each SQL aggregate. */
  readonly suffix: Sql;
  /**
   * SQL whose ascending order is the order of rows for COLLECT, STRING_AGG, FIRST and LAST: never NULL, unique in the group.
   * Null if the order does not matter.
   */
  readonly orderKey: Sql | null;
  /** Order of DISTINCT values, if it is not ascending with NULL first. */
  readonly distinctOrder?: SortDirection | null;
  /** True if a window function skips rows whose first argument is NULL. */
  readonly ignoresNulls?: boolean;
}

/** An aggregate function, over rows and over the elements of a list. */
export interface AggregateLowering {
  /** True if its SQL uses memory that the engine does not count. */
  readonly isUncounted?: true;
  /** True if the order of the rows affects the result. */
  readonly isOrdered: boolean;
  /** Without arguments it is COUNT(*). The arguments are columns: cheap to repeat. */
  readonly overRows: (args: readonly LoweredArgument[], rows: AggregateRows, call: CallContext) => Sql;
  /**
   * `list` contains, in order, one element for each row that counts (FILTER, DISTINCT and ORDER BY are applied): the row
   * itself without arguments, the argument's value with one, a struct `a0, a1, …` of the arguments' values with more. It is
   * never NULL, and cheap to repeat. The `sql` of the arguments is unused; their types and constants apply.
   */
  readonly overList: (list: Sql, args: readonly LoweredArgument[], call: CallContext) => Sql;
}

/** A function that requires OVER, which is in `rows.suffix`. */
export type WindowLowering = (args: readonly LoweredArgument[], rows: WindowRows, call: CallContext) => Sql;

/** Clauses of a function with OVER; its arguments are columns. */
export interface WindowRows extends AggregateRows {
  /** Returns the suffix for the rows of the partition in which a value is the same as in this row. */
  readonly suffixAmongEqual: (value: Sql) => Sql;
  /** Computes a value before the window, and returns the column that has it. */
  readonly column: (sql: Sql) => Sql;
}
