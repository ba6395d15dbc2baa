import type { Plan, Read } from '@svc/query-language';
import { childrenOfPlan } from '@svc/query-language';

/** The Read nodes of a plan. */
export function readsOf(plan: Plan): readonly Read[] {
  const found: Read[] = [];
  const look = (part: Plan): void => {
    if (part.kind === 'Read') found.push(part);
    childrenOfPlan(part).forEach(look);
  };
  look(plan);
  return found;
}
