import type { Plan, VariableId } from '@svc/query-language';
import { boundBy, mapChildren } from '@svc/query-language';

/** Calls `visit` with each plan below and including this one. */
export function walkPlan(plan: Plan, visit: (part: Plan) => void): void {
  visit(plan);
  mapChildren(plan, (child) => {
    walkPlan(child, visit);
    return child;
  });
}

interface Names {
  readonly used: ReadonlySet<VariableId>;
  readonly bound: ReadonlySet<VariableId>;
}

const KNOWN = new WeakMap<Plan, ReadonlySet<VariableId>>();

/** The variables that a plan uses and does not bind itself. */
export function freeVariables(plan: Plan): ReadonlySet<VariableId> {
  const known = KNOWN.get(plan);
  if (known !== undefined) return known;
  const { used, bound } = namesIn(plan);
  const free = new Set([...used].filter((id) => !bound.has(id)));
  KNOWN.set(plan, free);
  return free;
}

function namesIn(plan: Plan): Names {
  const used = new Set<VariableId>();
  const bound = new Set<VariableId>();
  walkPlan(plan, (part) => {
    if (part.kind === 'Variable') used.add(part.id);
    for (const id of boundBy(part)) bound.add(id);
  });
  return { used, bound };
}

/** Whether a plan uses any of the variables. */
export function usesAny(plan: Plan, ids: ReadonlySet<VariableId>): boolean {
  return [...freeVariables(plan)].some((id) => ids.has(id));
}

/** Whether any part of the plan satisfies the test. */
export function somePart(plan: Plan, test: (part: Plan) => boolean): boolean {
  if (test(plan)) return true;
  let found = false;
  mapChildren(plan, (child) => {
    found ||= somePart(child, test);
    return child;
  });
  return found;
}

/** The plan with one variable replaced. */
export function substitute(plan: Plan, id: VariableId, by: Plan): Plan {
  if (plan.kind === 'Variable') return plan.id === id ? by : plan;
  if (!freeVariables(plan).has(id)) return plan;
  return mapChildren(plan, (child) => substitute(child, id, by));
}

/** How often a plan uses a variable, and whether a use stands where it would be evaluated for each row of something. */
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
      mapChildren(part, (child) => {
        visit(child, repeats || !(child === first?.collection || child === part.limit || child === part.offset));
        return child;
      });
    } else {
      mapChildren(part, (child) => {
        visit(child, repeats || (part.kind === 'Reduce' && child === part.body));
        return child;
      });
    }
  };
  visit(plan, false);
  return { count, isRepeated };
}
