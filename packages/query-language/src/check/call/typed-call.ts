import type { Plan } from '../../plan/plan.ts';
import type { TypedCallExpression } from '../../syntax/ast.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';
import type { Scope } from '../scope.ts';
import { checkType } from '../written-type.ts';
import { TEXT_PARSERS, checkParseText } from './parse-text.ts';
import { PGSQL_FUNCTIONS, checkPgsqlCall, lastPgsqlArgument } from './pgsql-call.ts';
import { READ_FUNCTIONS, checkReadCall } from './read-call.ts';

/** Checks a call whose argument has AS type. Only functions that read files or parse texts accept one. */
export function checkTypedCall(context: CheckContext, node: TypedCallExpression, scope: Scope): Plan {
  const type = checkType(context, node.type, scope);
  const name = node.callee.text.toUpperCase();
  const isPgsql = PGSQL_FUNCTIONS.has(name);
  const isKnown = !node.callee.isQuoted && node.typedArgument === (isPgsql ? lastPgsqlArgument(name) : 0);
  const parser = isKnown ? TEXT_PARSERS.get(name) : undefined;
  if (parser !== undefined) return checkParseText(context, node, { parser, asType: type, scope });
  if (isPgsql && isKnown) return checkPgsqlCall(context, node, { name, asType: type, scope });
  if (!READ_FUNCTIONS.has(name) || !isKnown) return report(context, 'unexpected-token', node.type.span, 'AS', ', or )');
  return checkReadCall(context, node, name, type, scope);
}
