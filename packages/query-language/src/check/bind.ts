import type { Plan } from '../plan/plan.ts';
import type { CheckContext } from './check-context.ts';
import { freshVariable } from './check-context.ts';
import type { LetHolder } from './let-holder.ts';
import { isTrivial } from './let-holder.ts';

/** Binds `value` in the holder and returns the plan of a use. A trivial value is repeated instead. */
export function bind(context: CheckContext, holder: LetHolder, binding: { readonly name: string; readonly value: Plan }): Plan {
  const { name, value } = binding;
  if (isTrivial(value)) return value;
  const id = freshVariable(context);
  holder.bindings.push({ id, name, value });
  context.values.boundPlans.set(id, value);
  return { kind: 'Variable', type: value.type, span: value.span, id };
}

/** Binds `value` with Let and builds a body over the variable. A trivial value is repeated instead. */
export function letIn(context: CheckContext, value: Plan, makeBody: (use: Plan) => Plan): Plan {
  if (isTrivial(value)) return makeBody(value);
  const id = freshVariable(context);
  const body = makeBody({ kind: 'Variable', type: value.type, span: value.span, id });
  return { kind: 'Let', type: body.type, span: value.span, id, name: 'value', value, body };
}
