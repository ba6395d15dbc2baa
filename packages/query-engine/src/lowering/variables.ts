import type { Plan, VariableId } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

/** Calls `visit` with each plan below and including this one. */
export function walkPlan(plan: Plan, visit: (part: Plan) => void): void {
  visit(plan);
  mapChildren(plan, (child) => {
    walkPlan(child, visit);
    return child;
  });
}

/** The variables that a plan uses, bound inside or not. */
export function usedVariables(plan: Plan): ReadonlySet<VariableId> {
  const used = new Set<VariableId>();
  walkPlan(plan, (part) => {
    if (part.kind === 'Variable') used.add(part.id);
  });
  return used;
}

/** How often each variable is used. */
export function countUses(plan: Plan): ReadonlyMap<VariableId, number> {
  const counts = new Map<VariableId, number>();
  walkPlan(plan, (part) => {
    if (part.kind === 'Variable') counts.set(part.id, (counts.get(part.id) ?? 0) + 1);
  });
  return counts;
}

/** Whether a plan uses any of the variables. */
export function usesAny(plan: Plan, ids: ReadonlySet<VariableId>): boolean {
  return [...usedVariables(plan)].some((id) => ids.has(id));
}

/** Whether any part of the plan satisfies the test. */
export function somePart(plan: Plan, test: (part: Plan) => boolean): boolean {
  let found = false;
  walkPlan(plan, (part) => { found ||= test(part); });
  return found;
}

/** The plan with one variable replaced by a plan. */
export function substitute(plan: Plan, id: VariableId, by: Plan): Plan {
  if (plan.kind === 'Variable' && plan.id === id) return by;
  return mapChildren(plan, (child) => substitute(child, id, by));
}
