import type { Plan, VariableId } from '@svc/query-language';
import { boundBy, childrenOfPlan } from '@svc/query-language';

/** Calls `visit` with each plan below and including this one. */
export function walkPlan(plan: Plan, visit: (part: Plan) => void): void {
  visit(plan);
  for (const child of childrenOfPlan(plan)) walkPlan(child, visit);
}

const KNOWN = new WeakMap<Plan, ReadonlySet<VariableId>>();
const NONE: ReadonlySet<VariableId> = new Set();

/** The variables that a plan uses and does not bind itself. */
export function freeVariables(plan: Plan): ReadonlySet<VariableId> {
  // Constants and variables, half of a plan, are not worth caching.
  if (plan.kind === 'Constant') return NONE;
  if (plan.kind === 'Variable') return new Set([plan.id]);
  const known = KNOWN.get(plan);
  if (known !== undefined) return known;
  const free = freeOfParts(plan);
  KNOWN.set(plan, free);
  return free;
}

/** Each part is visited once. */
function freeOfParts(plan: Plan): ReadonlySet<VariableId> {
  const free = new Set<VariableId>();
  for (const child of childrenOfPlan(plan)) {
    if (child.kind === 'Variable') free.add(child.id);
    else for (const id of freeVariables(child)) free.add(id);
  }
  for (const id of boundBy(plan)) free.delete(id);
  return free.size === 0 ? NONE : free;
}

/** Returns whether a plan uses any of the variables. */
export function usesAny(plan: Plan, ids: ReadonlySet<VariableId>): boolean {
  return [...freeVariables(plan)].some((id) => ids.has(id));
}

/** Returns whether any part of a plan satisfies a predicate. */
export function somePart(plan: Plan, test: (part: Plan) => boolean): boolean {
  return test(plan) || childrenOfPlan(plan).some((child) => somePart(child, test));
}

/** Returns the number of uses of a variable, and whether a use is evaluated repeatedly, for each row or element. */
export function usesOf(plan: Plan, id: VariableId): { readonly count: number; readonly isRepeated: boolean } {
  let count = 0;
  let isRepeated = false;
  const visit = (part: Plan, repeats: boolean): void => {
    if (!freeVariables(part).has(id)) return;
    if (part.kind === 'Variable') {
      count += 1;
      isRepeated ||= repeats;
    } else if (part.kind === 'Select') {
      const [first] = part.sources;
      for (const child of childrenOfPlan(part))
        visit(child, repeats || !(child === first?.collection || child === part.limit || child === part.offset));
    } else {
      for (const child of childrenOfPlan(part)) visit(child, repeats || (part.kind === 'Reduce' && child === part.body));
    }
  };
  visit(plan, false);
  return { count, isRepeated };
}
