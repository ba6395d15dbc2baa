import type { Plan, VariableId } from '@svc/query-language';

import type { RelationLayout } from '../representation/relation-layout.ts';
import type { LoweringContext } from './lowering-context.ts';
import { freshName } from './lowering-context.ts';
import { freeVariables } from './variables.ts';

/** Binding of a variable at its use. */
export type Binding =
  /** A column or a lambda's variable: cheap to repeat. */
  | { readonly kind: 'sql'; readonly sql: string }
  /** The columns of a row that is a record; `present` is NULL for the missing row of an outer join. */
  | { readonly kind: 'row'; readonly columns: readonly string[]; readonly present: string | null }
  /** A collection in a common table expression. */
  | { readonly kind: 'relation'; readonly name: string; readonly layout: RelationLayout }
  /** A value that is read by a sub-query from a common table expression. */
  | { readonly kind: 'shared'; readonly sql: string }
  /** A value that is lowered again at each use, with the variables of its own scope. */
  | { readonly kind: 'plan'; readonly plan: Plan; readonly variables: Variables };

/** The variables in sight. */
export type Variables = ReadonlyMap<VariableId, Binding>;

/** Hoisted columns: computed below a select list that cannot contain, or must not repeat, their SQL. */
export interface Prelude {
  readonly columns: readonly { readonly name: string; readonly sql: string }[];
  /** The column that has this value, on each row. */
  readonly add: (sql: string) => string;
}

/** Scope of an expression. */
export interface Scope {
  readonly variables: Variables;
  readonly prelude: Prelude;
  /** Variables that lambdas around the expression bind; null outside of lambdas. The engine has no sub-queries in lambdas. */
  readonly lambda: ReadonlySet<VariableId> | null;
  /** True within TRY, where the engine allows no subqueries either. */
  readonly isInTry: boolean;
  /** True in a part that may not be evaluated: nothing fallible may be hoisted out of it. */
  readonly isInBranch: boolean;
  /** True within a collection built as a list for each row. */
  readonly isInListOfRow: boolean;
  /** True within an expression evaluated for each element of a list. */
  readonly isInElement: boolean;
}

/** Creates a scope without variables, with the given hoisted columns. */
export function createScope(prelude: Prelude, variables: Variables = new Map()): Scope {
  return {
    variables,
    prelude,
    lambda: null,
    isInTry: false,
    isInBranch: false,
    isInListOfRow: false,
    isInElement: false,
  };
}

/** Collects columns; equal SQL is computed once, unless chance is in it. */
export function createPrelude(context: LoweringContext): Prelude {
  const columns: { readonly name: string; readonly sql: string }[] = [];
  return {
    columns,
    add: (sql) => {
      const known = /\brandom\(/i.test(sql) ? undefined : columns.find((column) => column.sql === sql);
      if (known !== undefined) return known.name;
      const name = freshName(context, 'c');
      columns.push({ name, sql });
      return name;
    },
  };
}

/** Outside of all rows: each relation and value below it hoists its own columns. */
export const NO_PRELUDE: Prelude = {
  columns: [],
  add: () => {
    throw new Error('nothing is computed before all rows');
  },
};

/** Returns the FROM text with hoisted columns; each may use those before it. */
export function withPrelude(from: string, prelude: Prelude): string {
  let result = from;
  let level: { readonly name: string; readonly sql: string }[] = [];
  const close = (): void => {
    if (level.length > 0) result = `(SELECT *, ${level.map(({ name, sql }) => `${sql} AS ${name}`).join(', ')} FROM ${result})`;
    level = [];
  };
  for (const column of prelude.columns) {
    if (level.some(({ name }) => new RegExp(`\\b${name}\\b`).test(column.sql))) close();
    level.push(column);
  }
  close();
  return result;
}

/** Returns the binding of a variable; undefined for other plans, and unbound variables. */
export function bindingOf(plan: Plan, { variables }: { readonly variables: Variables }): Binding | undefined {
  return plan.kind === 'Variable' ? variables.get(plan.id) : undefined;
}

/** The scope with more variables. */
export function bindAll(scope: Scope, bindings: Iterable<readonly [VariableId, Binding]>): Scope {
  return { ...scope, variables: new Map([...scope.variables, ...bindings]) };
}

/** The scope inside a lambda over elements, that binds variables to SQL. */
export function bindLambda(scope: Scope, bindings: readonly (readonly [VariableId, string])[]): Scope {
  const variables = new Map(scope.variables);
  for (const [id, sql] of bindings) variables.set(id, { kind: 'sql', sql });
  return { ...scope, variables, lambda: new Set([...(scope.lambda ?? []), ...bindings.map(([id]) => id)]), isInElement: true };
}

/** The scope in a branch. */
export function inBranch(scope: Scope): Scope {
  return { ...scope, isInBranch: true };
}

/** Returns whether a plan depends on rows, or parts of a row, that the scope binds. */
export function dependsOnRow(plan: Plan, scope: { readonly variables: Variables }): boolean {
  return [...freeVariables(plan)].some((id) => {
    const binding = scope.variables.get(id);
    if (binding === undefined) return false;
    return binding.kind === 'plan' ? dependsOnRow(binding.plan, binding) : isOfRow(binding);
  });
}

/** Returns whether the scope is within a row. */
export function isWithinRow({ variables }: Pick<Scope, 'variables'>): boolean {
  return [...variables.values()].some(isOfRow);
}

function isOfRow({ kind }: Binding): boolean {
  return kind === 'sql' || kind === 'row';
}

/** Returns whether a value is computed for each row, or for each element of a collection. */
export function madeFor(scope: Scope): 'once' | 'row' | 'element' {
  if (scope.isInElement) return 'element';
  return scope.isInListOfRow || isWithinRow(scope) ? 'row' : 'once';
}

/** Returns whether a plan uses variables bound by enclosing lambdas. */
export function dependsOnLambda(plan: Plan, scope: Scope): boolean {
  const { lambda } = scope;
  if (lambda === null) return false;
  return [...freeVariables(plan)].some((id) => {
    const binding = scope.variables.get(id);
    return lambda.has(id) || (binding?.kind === 'plan' && dependsOnLambda(binding.plan, { ...scope, variables: binding.variables }));
  });
}
