import { childrenOfPlan } from './children-of-plan.ts';
import type { Plan, Select, Variable } from './plan.ts';

/** A part of a plan that is evaluated regardless of enclosing branches and TRY. */
export interface Unguarded {
  readonly kind: 'aggregate' | 'window' | 'grouping' | 'join' | 'rows';
  readonly part: Plan;
}

/**
 * Finds the first part of a plan that an enclosing branch or TRY does not guard: an aggregate of the enclosing SELECT, a
 * window, or a query that groups, joins, or reads a source. Null for scalar expressions, functions of collections, and
 * queries over one collection. `isRows` returns whether a variable is bound to the rows of a source.
 */
export function findUnguarded(plan: Plan, isRows: (variable: Variable) => boolean): Unguarded | null {
  const visit = (part: Plan, hasOwnAggregates: boolean): Unguarded | null => {
    const kind = kindOf(part, hasOwnAggregates, isRows);
    if (kind !== null) return { kind, part };
    if (part.kind !== 'Select') return first(childrenOfPlan(part), (child) => visit(child, hasOwnAggregates));
    const { outside, inside } = partsOfSelect(part);
    const isWithin = hasOwnAggregates || part.grouping !== null;
    return first(outside, (child) => visit(child, hasOwnAggregates)) ?? first(inside, (child) => visit(child, isWithin));
  };
  return visit(plan, false);
}

function kindOf(part: Plan, hasOwnAggregates: boolean, isRows: (variable: Variable) => boolean): Unguarded['kind'] | null {
  if (part.kind === 'Aggregate') return hasOwnAggregates ? null : 'aggregate';
  if (part.kind === 'WindowCall') return 'window';
  if (part.kind === 'Read' || part.kind === 'TableScan') return 'rows';
  if (part.kind === 'Variable') return isRows(part) ? 'rows' : null;
  if (part.kind !== 'Select') return null;
  if (part.sources.length > 1) return 'join';
  return (part.grouping?.keys.length ?? 0) > 0 ? 'grouping' : null;
}

/** Splits a SELECT into the parts evaluated in the enclosing SELECT and those that see its own rows. */
function partsOfSelect(select: Select): { readonly outside: readonly Plan[]; readonly inside: readonly Plan[] } {
  const { sources, limit, offset } = select;
  const outside = new Set([...sources.map(({ collection }) => collection), limit, offset]);
  const all = childrenOfPlan(select);
  return { outside: all.filter((part) => outside.has(part)), inside: all.filter((part) => !outside.has(part)) };
}

function first(parts: readonly Plan[], find: (part: Plan) => Unguarded | null): Unguarded | null {
  for (const part of parts) {
    const found = find(part);
    if (found !== null) return found;
  }
  return null;
}
