import type { Plan } from '@svc/query-language';

import { dependsOnRow } from './correlation.ts';
import { isFallible } from './fallibility.ts';
import { holdsSubquery } from './relational-analysis.ts';
import type { ScopeVariables } from './scope-bindings.ts';

/** Returns whether a plan is fallible and constant in its scope: the engine folds it at planning, where it may fail without being needed. */
export function isFallibleConstant(plan: Plan, scope: { readonly variables: ScopeVariables }): boolean {
  return isFallible(plan) && !dependsOnRow(plan, scope) && !holdsSubquery(plan, scope);
}
