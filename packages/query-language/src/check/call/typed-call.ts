import type { Plan } from '../../plan/plan.ts';
import type { TypedCallExpression } from '../../syntax/ast.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';
import type { Scope } from '../scope.ts';
import { checkType } from '../written-type.ts';
import { checkTypedParseJson } from './parse-json.ts';
import { READ_FUNCTIONS, checkReadCall } from './read-call.ts';

/** A call whose argument has AS type: only what reads files or JSON takes one. */
export function checkTypedCall(context: CheckContext, node: TypedCallExpression, scope: Scope): Plan {
  const type = checkType(context, node.type, scope);
  const name = node.callee.text.toUpperCase();
  const isJson = (name === 'PARSE_JSON' || name === 'TRY_PARSE_JSON') && !node.callee.isQuoted && node.typedArgument === 0;
  if (isJson) return checkTypedParseJson(context, node, type, scope);
  if (!READ_FUNCTIONS.has(name) || node.callee.isQuoted || node.typedArgument !== 0)
    return report(context, 'unexpected-token', node.type.span, 'AS', ', or )');
  return checkReadCall(context, node, name, type, scope);
}
