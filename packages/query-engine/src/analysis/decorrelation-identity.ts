import type { Plan, Type, VariableId } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { holdsInterval } from './holds-primitive.ts';
import { isFloating } from './number-types.ts';
import type { ScopeBinding } from './scope-bindings.ts';

/** A correlated expression with equal values that are not identical: its text, or its sign, distinguishes them. */
export interface IdentityPart<V> {
  readonly part: Plan;
  readonly variables: V;
  readonly by: 'text' | 'sign';
}

/**
 * Returns the parts of a correlated subquery whose equal values must be distinguished when the engine decorrelates it: it
 * evaluates a subquery once for all rows whose correlated columns are equal. Intervals are equal by their length, though 30
 * days later is not a month later, and 0.0 equals -0.0.
 */
export function identityParts<V extends ReadonlyMap<VariableId, ScopeBinding<V>>>(plan: Plan, variables: V): readonly IdentityPart<V>[] {
  const parts: IdentityPart<V>[] = [];
  const visit = (part: Plan, at: V, isCompared: boolean): void => {
    const root = rootOf(part);
    const binding = root.kind === 'Variable' ? at.get(root.id) : undefined;
    if (binding?.kind === 'plan') visit(binding.plan, binding.variables, isCompared);
    else if (binding?.kind === 'column' || binding?.kind === 'row') {
      const by = distinctionOf(part.type, isCompared);
      if (by !== null) parts.push({ part, variables: at, by });
    } else {
      mapChildren(part, (child) => {
        visit(child, at, part.kind === 'Comparison' || part.kind === 'In');
        return child;
      });
    }
  };
  visit(plan, variables, false);
  return parts;
}

/** Returns what distinguishes equal values of a type; null if equal values are identical, or are only compared. */
function distinctionOf(type: Type, isCompared: boolean): 'text' | 'sign' | null {
  if (holdsInterval(type)) return 'text';
  return isFloating(type) && !isCompared ? 'sign' : null;
}

/** Returns the expression of which a part is a field, directly or indirectly. */
function rootOf(part: Plan): Plan {
  return part.kind === 'Field' ? rootOf(part.target) : part;
}
