import type { Plan, VariableId } from '@svc/query-language';

/** Binding of a variable, as far as analyses depend on it. */
export interface ScopeBinding {
  /**
   * A column or a lambda's variable; the row of a relation; a collection, or a value, in a common table expression.
   */
  readonly kind: 'column' | 'row' | 'relation' | 'shared';
  /** For a shared value: whether it is a document of a source, or a part of one. */
  readonly isDocument?: boolean;
}

/** Variables in scope. */
export type ScopeVariables = ReadonlyMap<VariableId, ScopeBinding>;

/** Returns the binding of a variable; undefined for other plans, and unbound variables. */
export function bindingOf<B>(plan: Plan, { variables }: { readonly variables: ReadonlyMap<VariableId, B> }): B | undefined {
  return plan.kind === 'Variable' ? variables.get(plan.id) : undefined;
}
