import type { Plan } from '@svc/query-language';

import { isInterval } from './holds-primitive.ts';

/**
 * Returns whether a plan is an interval whose months, days and time may have different signs. The engine compares such intervals
 * by their months first: for it a month less a day is longer than 29 days.
 */
export function mayMixSigns(plan: Plan): boolean {
  if (!isInterval(plan)) return false;
  if (plan.kind === 'Constant') {
    const parts = String(plan.value ?? 0)
      .split(' ')
      .map(Number);
    return parts.some((part) => part < 0) && parts.some((part) => part > 0);
  }
  if (plan.kind === 'Call' && plan.function === 'AGE') return false;
  if (plan.kind !== 'Arithmetic') return true;
  // A difference of moments has one sign; a multiple of an interval has its signs, or the opposite ones.
  const intervals = plan.operands.filter(isInterval);
  return intervals.length > 1 || intervals.some(mayMixSigns);
}
