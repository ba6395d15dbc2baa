import type { Plan, VariableId } from '../plan/plan.ts';
import type { CheckContext } from './check-context.ts';
import { freshVariable } from './check-context.ts';

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

/** Binds `value` in the holder and returns the plan of a use. A trivial value is repeated instead. */
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
