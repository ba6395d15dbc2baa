import type { Plan, VariableId } from '../plan/plan.ts';

/** Collects the bindings of a block in the order of completion, so that each stands after those it uses. */
export interface LetHolder {
  readonly bindings: { readonly id: VariableId; readonly name: string; readonly value: Plan }[];
}

/** A holder for one block. */
export function createLetHolder(): LetHolder {
  return { bindings: [] };
}

/** Returns whether a plan is so cheap and infallible that it may be repeated at each use. */
export function isTrivial(plan: Plan): boolean {
  if (plan.kind === 'Field') return isTrivial(plan.target);
  return plan.kind === 'Constant' || plan.kind === 'Parameter' || plan.kind === 'Variable';
}

/** The body with all bindings of the holder around it, the first one outermost. */
export function wrapLets(holder: LetHolder, body: Plan): Plan {
  return holder.bindings.reduceRight<Plan>(
    (inner, { id, name, value }) => ({ kind: 'Let', type: inner.type, span: inner.span, id, name, value, body: inner }),
    body,
  );
}
