import type { FunctionDefinition } from '../../functions/function-definition.ts';
import { resolveOverload } from '../../functions/resolve-overload.ts';
import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import { nullable } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, placeOf, report } from '../check-context.ts';
import { convertTo, mayBeNull } from '../convert.ts';
import { asData, isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';
import { reportFailure } from './aggregate-call.ts';
import { checkArgument, matchArguments } from './arguments.ts';

/** A call of a built-in function: its overload is chosen by the types of the arguments. */
export function checkBuiltinCall(context: CheckContext, node: CallExpression, definition: FunctionDefinition, scope: Scope): Plan {
  const ordered = orderArguments(context, node, definition);
  if (ordered === null) return errorPlan(node.span);
  const args = ordered.map((index) => (index === null ? null : asData(context, checkArgument(context, node, index, scope, null))));
  if (args.some((arg) => arg !== null && isFaulty(arg))) return errorPlan(node.span);
  while (args.at(-1) === null) args.pop();
  const resolved = resolveOverload(
    definition,
    args.map((arg) => arg?.type),
  );
  if ('failure' in resolved)
    return reportFailure(
      context,
      node,
      args.map((arg) => arg?.type ?? null),
      resolved.failure,
    );
  const span = placeOf(context, node.span);
  const converted = args.map((arg, i): Plan => {
    const type = resolved.parameterTypes[i];
    if (arg === null)
      return { kind: 'Constant', type: type === undefined ? { kind: 'ErrorType', isNullable: false } : nullable(type), span, value: null };
    if (type === undefined) return arg;
    return convertTo(arg, mayBeNull(arg) ? nullable(type) : type);
  });
  return { kind: 'Call', type: resolved.resultType, span, function: definition.name, overload: resolved.overload.id, arguments: converted };
}

/** The index of the argument of each parameter; arguments by name need one signature that has the names. */
function orderArguments(context: CheckContext, node: CallExpression, definition: FunctionDefinition): readonly (number | null)[] | null {
  if (node.arguments.every((argument) => argument.name === null)) return node.arguments.map((_, i) => i);
  const names = node.arguments.flatMap((argument) => (argument.name === null ? [] : [argument.name]));
  const overload = definition.overloads.find((candidate) =>
    names.every((name) => candidate.parameters.some((parameter) => parameter.name?.toLowerCase() === name.text.toLowerCase())),
  );
  if (overload === undefined) {
    const stranger = names.find(
      (name) =>
        !definition.overloads.some((candidate) =>
          candidate.parameters.some((parameter) => parameter.name?.toLowerCase() === name.text.toLowerCase()),
        ),
    );
    report(context, 'unknown-argument', (stranger ?? names[0])?.span ?? node.span, (stranger ?? names[0])?.text ?? '');
    return null;
  }
  return matchArguments(context, node, overload.parameters);
}
