import type { Plan, VariableId } from '@svc/query-language';
import { boundBy, childrenOfPlan } from '@svc/query-language';

/** Returns a function that returns variables which the plan does not bind, each a new one. */
export function freshVariables(plan: Plan): () => VariableId {
  let last = highestVariable(plan);
  return () => (last += 1);
}

function highestVariable(plan: Plan): VariableId {
  return Math.max(0, ...boundBy(plan), ...childrenOfPlan(plan).map(highestVariable));
}
