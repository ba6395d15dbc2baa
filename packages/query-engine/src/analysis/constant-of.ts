import type { Constant, Plan } from '@svc/query-language';

/** Returns the value of a constant; undefined for other plans. */
export function constantOf(plan: Plan): Constant['value'] | undefined {
  return plan.kind === 'Constant' ? plan.value : undefined;
}
