import type { Plan, VariableId } from '@svc/query-language';
import { childrenOfPlan } from '@svc/query-language';

/** Kinds of plans that evaluate all of their parts. */
const WHOLE: ReadonlySet<Plan['kind']> = new Set([
  'Convert',
  'Cast',
  'Not',
  'IsNull',
  'Arithmetic',
  'Comparison',
  'Like',
  'RecordLiteral',
  'CollectionLiteral',
  'Field',
  'Call',
]);

/** Returns the variables whose values are needed whenever the plan is evaluated: no branch, no lambda and no query decides of them. */
export function alwaysEvaluated(plan: Plan): ReadonlySet<VariableId> {
  const found = new Set<VariableId>();
  collect(plan, found);
  return found;
}

function collect(plan: Plan, found: Set<VariableId>): void {
  if (plan.kind === 'Variable') found.add(plan.id);
  else if (plan.kind === 'Let') {
    collect(plan.body, found);
    if (found.has(plan.id)) collect(plan.value, found);
  } else for (const part of evaluatedParts(plan)) collect(part, found);
}

/** The parts that are evaluated in any case. */
function evaluatedParts(plan: Plan): readonly Plan[] {
  if (plan.kind === 'Case') return plan.branches.slice(0, 1).map(({ when }) => when);
  if (plan.kind === 'Coalesce' || plan.kind === 'Logical') return plan.operands.slice(0, 1);
  return WHOLE.has(plan.kind) ? childrenOfPlan(plan) : [];
}
