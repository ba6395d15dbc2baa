import type { Plan, VariableId } from '../plan/plan.ts';
import type { CheckContext } from './check-context.ts';
import { freshVariable } from './check-context.ts';

/** Collects the values that a block binds, in the order in which they were completed: what one uses stands before it. */
export interface LetHolder {
  readonly bindings: { readonly id: VariableId; readonly name: string; readonly value: Plan }[];
}

/** A holder for one block. */
export function createLetHolder(): LetHolder {
  return { bindings: [] };
}

/** Whether a plan is so cheap and free of failure that each use may repeat it. */
export function isTrivial(plan: Plan): boolean {
  if (plan.kind === 'Field') return isTrivial(plan.target);
  return plan.kind === 'Constant' || plan.kind === 'Parameter' || plan.kind === 'Variable';
}

/** Binds `value` in the holder and answers what a use of it is; a trivial value is repeated instead. */
export function bind(context: CheckContext, holder: LetHolder, binding: { readonly name: string; readonly value: Plan }): Plan {
  const { name, value } = binding;
  if (isTrivial(value)) return value;
  const id = freshVariable(context);
  holder.bindings.push({ id, name, value });
  context.values.boundPlans.set(id, value);
  return { kind: 'Variable', type: value.type, span: value.span, id };
}

/** The body with all bindings of the holder around it, the first one outermost. */
export function wrapLets(holder: LetHolder, body: Plan): Plan {
  return holder.bindings.reduceRight<Plan>(
    (inner, { id, name, value }) => ({ kind: 'Let', type: inner.type, span: inner.span, id, name, value, body: inner }),
    body,
  );
}
