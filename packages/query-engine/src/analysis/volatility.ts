import type { Plan } from '@svc/query-language';
import { findFunction } from '@svc/query-language';

import { bindingOf, type ScopeVariables } from './scope-bindings.ts';
import { somePart } from './variables.ts';

/** Returns whether a plan is volatile: its value depends on when and how often it is evaluated. */
export function isVolatile(plan: Plan): boolean {
  return somePart(plan, isVolatileCall);
}

/** The same with the values of variables that are evaluated in place. */
export function isVolatileIn(plan: Plan, scope: { readonly variables: ScopeVariables }): boolean {
  return somePart(plan, (part) => {
    const binding = bindingOf(part, scope);
    return binding?.kind === 'plan' ? isVolatileIn(binding.plan, binding) : isVolatileCall(part);
  });
}

function isVolatileCall(part: Plan): boolean {
  return part.kind === 'Call' && findFunction(part.function)?.isVolatile === true;
}
