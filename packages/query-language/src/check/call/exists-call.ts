import { findFunction } from '../../functions/find-function.ts';
import { constant } from '../../plan/build-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import { bool } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { mayBeNull } from '../convert.ts';
import { isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';
import { checkBuiltinCall } from './builtin-call.ts';

/** `EXISTS(c)`: a NULL collection has no elements, as a sub-query of SQL is never NULL. */
export function checkExists(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  const definition = findFunction('EXISTS');
  if (definition === undefined) throw new Error('EXISTS is a function');
  const call = checkBuiltinCall(context, node, definition, scope);
  if (isFaulty(call) || !mayBeNull(call)) return call;
  const no = constant(bool, false, call.span);
  return call.kind === 'Constant' ? no : { kind: 'Coalesce', type: bool, span: call.span, operands: [call, no] };
}
