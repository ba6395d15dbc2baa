import type { Plan, VariableId } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { freeVariables } from '../analysis/variables.ts';

/** The plan with one variable replaced. */
export function substitute(plan: Plan, id: VariableId, by: Plan): Plan {
  if (plan.kind === 'Variable') return plan.id === id ? by : plan;
  if (!freeVariables(plan).has(id)) return plan;
  return mapChildren(plan, (child) => substitute(child, id, by));
}
