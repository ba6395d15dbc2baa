import type { Constant, Plan } from '@svc/query-language';

import { bindingOf, type ScopeVariables } from './scope-bindings.ts';

/** Returns the value of a constant; undefined for other plans. */
export function constantOf(plan: Plan): Constant['value'] | undefined {
  return plan.kind === 'Constant' ? plan.value : undefined;
}

/** Returns the value of a constant, or of a variable that is evaluated in place as one; undefined for other plans. */
export function constantIn(plan: Plan, scope: { readonly variables: ScopeVariables }): Constant['value'] | undefined {
  const binding = bindingOf(plan, scope);
  return binding?.kind === 'plan' ? constantIn(binding.plan, binding) : constantOf(plan);
}
