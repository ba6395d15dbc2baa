import type { Plan, Type } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import type { LoweringContext } from './lowering-context.ts';
import { lowerValue } from './lower-value.ts';
import { holdsInterval } from './scalars/comparable.ts';
import { isFloating } from './scalars/number-types.ts';
import type { Scope, Variables } from './scope.ts';

/**
 * Returns an always-true predicate, or nothing, for a correlated subquery. The engine evaluates a subquery once for all rows
 * whose correlated columns are equal. Intervals are equal by their length, though 30 days later is not a month later, and
 * 0.0 equals -0.0: the predicate adds correlated columns that distinguish such values.
 */
export function tellApart(context: LoweringContext, plan: Plan, scope: Scope): string {
  const marks = new Set<string>();
  const visit = (part: Plan, variables: Variables, isCompared: boolean): void => {
    const root = rootOf(part);
    const binding = root.kind === 'Variable' ? variables.get(root.id) : undefined;
    if (binding?.kind === 'plan') visit(binding.plan, binding.variables, isCompared);
    else if (binding?.kind === 'sql' || binding?.kind === 'row') {
      const mark = markOf(part.type, isCompared);
      if (mark !== null) marks.add(scope.prelude.add(mark(lowerValue(context, part, { ...scope, variables }))));
    } else {
      mapChildren(part, (child) => {
        visit(child, variables, part.kind === 'Comparison' || part.kind === 'In');
        return child;
      });
    }
  };
  visit(plan, scope.variables, false);
  return marks.size === 0 ? '' : ` WHERE ${[...marks].map((mark) => `(${mark} IS NULL OR TRUE)`).join(' AND ')}`;
}

/** Returns an expression that distinguishes equal values of a type; null if equal values are identical, or are only compared. */
function markOf(type: Type, isCompared: boolean): ((sql: string) => string) | null {
  if (holdsInterval(type)) return (sql) => `CAST(${sql} AS VARCHAR)`;
  return isFloating(type) && !isCompared ? (sql) => `signbit(${sql})` : null;
}

/** Returns the expression of which a part is a field, directly or indirectly. */
function rootOf(part: Plan): Plan {
  return part.kind === 'Field' ? rootOf(part.target) : part;
}
