import type { Plan } from './plan.ts';

/** Returns the value of a numeric constant; NaN for other plans. */
export function constantNumber(plan: Plan | undefined): number {
  if (plan?.kind === 'Convert') return constantNumber(plan.operand);
  return plan?.kind === 'Constant' && plan.value !== null ? Number(plan.value) : NaN;
}
