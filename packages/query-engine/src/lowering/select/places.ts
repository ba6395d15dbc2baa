import type { Plan } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { isCertainlyUsed } from '../certain-use.ts';

/** Where a part stands in an item, a HAVING or a sort key. */
export interface Place {
  /** It is evaluated whenever the whole is; else a branch, an operand before it or a TRY decides. */
  readonly isCertain: boolean;
  readonly isInTry: boolean;
  /** It may be said or evaluated more than once: a variable stands for it, or it is evaluated for each of some elements. */
  readonly isRepeated: boolean;
}

/** Where the whole stands. */
export const CERTAIN: Place = { isCertain: true, isInTry: false, isRepeated: false };

/** The same node with `map` of each plan directly below it, told its place. */
export function mapPlaced(plan: Plan, place: Place, map: (child: Plan, place: Place) => Plan): Plan {
  const later: Place = { ...place, isCertain: false };
  if (plan.kind === 'Case')
    return {
      ...plan,
      branches: plan.branches.map(({ when, then }, i) => ({ when: map(when, i === 0 ? place : later), then: map(then, later) })),
      otherwise: map(plan.otherwise, later),
    };
  if (plan.kind === 'Coalesce' || plan.kind === 'Logical')
    return { ...plan, operands: plan.operands.map((operand, i) => map(operand, i === 0 ? place : later)) };
  if (plan.kind === 'Try') return { ...plan, operand: map(plan.operand, { ...later, isInTry: true }) };
  const repeated: Place = { ...place, isRepeated: true };
  if (plan.kind === 'Let')
    return {
      ...plan,
      value: map(plan.value, isCertainlyUsed(plan.body, plan.id) ? repeated : { ...repeated, isCertain: false }),
      body: map(plan.body, place),
    };
  return mapChildren(plan, (child) => map(child, plan.kind === 'Select' || plan.kind === 'Reduce' ? repeated : place));
}
