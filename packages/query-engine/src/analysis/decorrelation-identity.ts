import type { Plan } from '@svc/query-language';
import { childrenOfPlan, isFloating } from '@svc/query-language';

import { dependsOnRow } from './correlation.ts';
import { holdsInterval } from './holds-primitive.ts';
import type { ScopeVariables } from './scope-bindings.ts';

/**
 * Returns the parts of a correlated subquery whose equal values must be distinguished when the engine decorrelates it: it
 * evaluates a subquery once for all rows whose correlated columns are equal. Intervals are equal by their length, though 30
 * days later is not a month later, and 0.0 equals -0.0.
 */
export function identityParts(plan: Plan, scope: { readonly variables: ScopeVariables }): readonly Plan[] {
  const parts: Plan[] = [];
  const visit = (part: Plan, isCompared: boolean): void => {
    const root = rootOf(part);
    if (root.kind === 'Variable' && dependsOnRow(root, scope)) {
      if (holdsInterval(part.type) || (isFloating(part.type) && !isCompared)) parts.push(part);
    } else for (const child of childrenOfPlan(part)) visit(child, part.kind === 'Comparison' || part.kind === 'In');
  };
  visit(plan, false);
  return parts;
}

/** Returns the expression of which a part is a field, directly or indirectly. */
function rootOf(part: Plan): Plan {
  return part.kind === 'Field' ? rootOf(part.target) : part;
}
