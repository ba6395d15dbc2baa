import { childrenOfPlan } from './children-of-plan.ts';
import type { Plan, PlanSource, VariableId } from './plan.ts';

/** Returns the variables that a node binds for its children. */
export function boundBy(plan: Plan): readonly VariableId[] {
  if (plan.kind === 'Let') return [plan.id];
  if (plan.kind === 'Reduce') return [plan.accumulator, plan.element];
  if (plan.kind !== 'Select') return [];
  return [
    ...plan.sources.flatMap(boundBySource),
    ...(plan.grouping?.keys ?? []).flatMap(({ id, rolledUp }) => (rolledUp === null ? [id] : [id, rolledUp])),
    plan.itemVariable,
  ];
}

/** The variables that a source of a Select binds. */
export function boundBySource({ row, position }: PlanSource): readonly VariableId[] {
  return position === null ? [row] : [row, position];
}

/** Returns whether a plan uses any of the variables. */
export function usesAny(plan: Plan, ids: { readonly has: (id: VariableId) => boolean }): boolean {
  return (plan.kind === 'Variable' && ids.has(plan.id)) || childrenOfPlan(plan).some((child) => usesAny(child, ids));
}
