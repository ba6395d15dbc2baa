import type { Plan, VariableId } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { freeVariables } from './variables.ts';

/** Whether each evaluation of a plan evaluates a variable. */
export function isCertainlyUsed(plan: Plan, id: VariableId): boolean {
  if (plan.kind === 'Variable') return plan.id === id;
  if (!freeVariables(plan).has(id) || plan.kind === 'Try') return false;
  const isUsed = (part: Plan | undefined): boolean => part !== undefined && isCertainlyUsed(part, id);
  if (plan.kind === 'Case') return isUsed(plan.branches[0]?.when);
  if (plan.kind === 'Coalesce' || plan.kind === 'Logical') return isUsed(plan.operands[0]);
  if (plan.kind === 'Reduce') return isUsed(plan.start);
  if (plan.kind === 'Select') return isUsed(plan.sources[0]?.collection);
  if (plan.kind === 'Let') return isUsed(plan.body) || (isUsed(plan.value) && isCertainlyUsed(plan.body, plan.id));
  let found = false;
  mapChildren(plan, (child) => {
    found ||= isUsed(child);
    return child;
  });
  return found;
}
