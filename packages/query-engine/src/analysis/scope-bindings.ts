import type { Plan, VariableId } from '@svc/query-language';

/** Binding of a variable, as far as analyses depend on it; `V` are the variables of a scope. */
export type ScopeBinding<V> =
  /** A column or a lambda's variable. */
  | { readonly kind: 'column' }
  /** The row of a relation. */
  | { readonly kind: 'row' }
  /** A collection in a common table expression. */
  | { readonly kind: 'relation' }
  /** A value in a common table expression. */
  | { readonly kind: 'shared' }
  /** A value that is evaluated at each use, with the variables of its own scope. */
  | { readonly kind: 'plan'; readonly plan: Plan; readonly variables: V };

/** Variables in scope. */
export interface ScopeVariables extends ReadonlyMap<VariableId, ScopeBinding<ScopeVariables>> {}

/** Returns the binding of a variable; undefined for other plans, and unbound variables. */
export function bindingOf<B>(plan: Plan, { variables }: { readonly variables: ReadonlyMap<VariableId, B> }): B | undefined {
  return plan.kind === 'Variable' ? variables.get(plan.id) : undefined;
}
