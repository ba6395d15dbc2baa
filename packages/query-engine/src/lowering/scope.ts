import type { VariableId } from '@svc/query-language';

import { isWithinRow } from '../analysis/correlation.ts';
import type { RelationLayout } from '../representation/relation-layout.ts';
import type { Column, Sql } from '../sql/sql.ts';

/** Binding of a variable at its use. */
export type Binding =
  /** A column or a lambda's variable: cheap to repeat. A column of decimals may have a known scale. */
  | { readonly kind: 'column'; readonly sql: Sql; readonly scale?: number | undefined }
  /** The columns of a row that is a record; `present` is NULL for the missing row of an outer join. */
  | RowBinding
  /** A collection in a common table expression. */
  | { readonly kind: 'relation'; readonly table: Column; readonly layout: RelationLayout }
  /** A value that is read by a sub-query from a common table expression. */
  | { readonly kind: 'shared'; readonly sql: Sql; readonly isDocument: boolean };

/** A row whose fields are columns. */
interface RowBinding {
  readonly kind: 'row';
  readonly columns: readonly Sql[];
  /** The scale of each column of decimals where it is known. */
  readonly scales: readonly (number | undefined)[];
  readonly present: Sql | null;
}

/** The variables in sight. */
export type Variables = ReadonlyMap<VariableId, Binding>;

/** A value computed on each row. */
export interface HoistedColumn extends HoistedFacts {
  readonly name: Column;
  readonly sql: Sql;
}

interface HoistedFacts {
  /** True if a volatile value is a column of its own. */
  readonly isVolatile?: boolean;
  /** True if the engine joins it to the rows. */
  readonly holdsSubquery?: boolean;
}

/** Hoisted columns: computed below a select list that cannot contain, or must not repeat, their SQL. */
export interface HoistedColumns {
  readonly columns: readonly HoistedColumn[];
  /** Returns the column that has this value, on each row. */
  readonly add: (sql: Sql, facts?: HoistedFacts) => Column;
}

/** Rows in a common table expression, each with its number. */
export interface RowTable {
  readonly name: Column;
  readonly number: Column;
  /** The names of the columns of the rows. */
  readonly columns: ReadonlySet<string>;
}

/** Scope of an expression. */
export interface Scope {
  readonly variables: Variables;
  /** The table of the rows around, from which a subquery reads their lists; null if they have none. */
  readonly rowTable: RowTable | null;
  readonly hoisted: HoistedColumns;
  /** Variables that lambdas around the expression bind; null where the engine allows subqueries: outside of lambdas and TRY. */
  readonly lambda: ReadonlySet<VariableId> | null;
  /** True within TRY, where failures have no message. */
  readonly isInTry: boolean;
  /** True in a part that may not be evaluated: nothing fallible may be hoisted out of it. */
  readonly isInBranch: boolean;
  /** True within an expression evaluated for each element of a list. */
  readonly isInElement: boolean;
  /** True within an interval that is kept apart from others as long: its parts need not be. */
  readonly isKeptApart: boolean;
}

/** Creates a scope without variables, with the given hoisted columns. */
export function createScope(hoisted: HoistedColumns, variables: Variables = new Map()): Scope {
  return {
    variables,
    rowTable: null,
    hoisted,
    lambda: null,
    isInTry: false,
    isInBranch: false,
    isInElement: false,
    isKeptApart: false,
  };
}

/** The scope with more variables. */
export function bindAll(scope: Scope, bindings: Iterable<readonly [VariableId, Binding]>): Scope {
  return { ...scope, variables: new Map([...scope.variables, ...bindings]) };
}

/** The scope inside a lambda over elements, that binds variables to SQL. */
export function bindLambda(scope: Scope, bindings: readonly (readonly [VariableId, Sql])[]): Scope {
  const variables = new Map(scope.variables);
  for (const [id, sql] of bindings) variables.set(id, { kind: 'column', sql });
  return { ...scope, variables, lambda: new Set([...(scope.lambda ?? []), ...bindings.map(([id]) => id)]), isInElement: true };
}

/** The scope of an expression on rows, with their hoisted columns. */
export function onRow(scope: Scope, hoisted: HoistedColumns): Scope {
  return { ...scope, hoisted, lambda: null, isInTry: false, isInElement: false };
}

/** The scope within TRY. */
export function inTry(scope: Scope): Scope {
  return { ...scope, lambda: scope.lambda ?? new Set(), isInTry: true, isInBranch: true };
}

/** The scope in a branch. */
export function inBranch(scope: Scope): Scope {
  return { ...scope, isInBranch: true };
}

/** Returns whether a value is computed for each row, or for each element of a collection. */
export function evaluatedPer(scope: Scope): 'statement' | 'row' | 'element' {
  if (scope.isInElement) return 'element';
  return isWithinRow(scope) ? 'row' : 'statement';
}
