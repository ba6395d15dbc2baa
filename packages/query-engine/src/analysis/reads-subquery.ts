import type { Plan } from '@svc/query-language';

import { dependsOnRow } from './correlation.ts';
import { holdsSubquery } from './relational-analysis.ts';
import type { ScopeVariables } from './scope-bindings.ts';
import { somePart } from './variables.ts';

/** Returns whether the SQL of a plan may contain a subquery, including one that reads a declared value: declarations of rows are columns. */
export function readsSubquery(plan: Plan, scope: { readonly variables: ScopeVariables }): boolean {
  return holdsSubquery(plan, scope) || somePart(plan, (part) => part.kind === 'Let' && !dependsOnRow(part.value, scope));
}
