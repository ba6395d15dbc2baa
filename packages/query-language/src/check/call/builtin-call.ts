import type { FunctionDefinition, Overload, OverloadParameter } from '../../functions/function-definition.ts';
import { adviceForType } from '../../functions/sql-advice.ts';
import type { OverloadFailure } from '../../functions/resolve-overload.ts';
import { resolveOverload } from '../../functions/resolve-overload.ts';
import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import type { Type } from '../../types/type.ts';
import { errorType, nullable, printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty, isNullAlone } from '../operand.ts';
import { placeOf, report } from '../check-context.ts';
import { nullOf } from '../../plan/build-plan.ts';
import { convertTo, mayBeNull } from '../convert.ts';
import { asData, checkValue } from '../check-value.ts';
import type { Scope } from '../scope.ts';
import { argumentSpans, checkArgument } from './arguments.ts';
import { asTexts } from './as-texts.ts';
import { checkConstantArguments } from './constant-arguments.ts';
import { reportFailure } from './report-failure.ts';

/** A call as written, and the names in sight there. */
interface CallAt {
  readonly node: CallExpression;
  readonly scope: Scope;
}

/** A call of a built-in function: its overload is chosen by the types of the arguments. */
export function checkBuiltinCall(context: CheckContext, node: CallExpression, definition: FunctionDefinition, scope: Scope): Plan {
  const args = node.arguments.map((_, i) => asData(context, checkArgument(context, node, i, scope, null)));
  return callOfBuiltin(context, { node, scope }, definition, args);
}

/** A call of a built-in function on checked arguments. */
export function callOfBuiltin(context: CheckContext, at: CallAt, definition: FunctionDefinition, written: readonly Plan[]): Plan {
  const { node } = at;
  if (written.some(isFaulty)) return errorPlan(node.span);
  const args = asTexts(context, definition, written);
  const types = args.map((arg) => arg.type);
  const resolved = resolveOverload(definition, types);
  const first = types[0];
  const advice = 'failure' in resolved && first !== undefined ? adviceForType(definition.name, printType(first)) : null;
  if (advice !== null) return report(context, 'call-of-sql', node.callee.span, definition.name, advice);
  if ('failure' in resolved) return reportFailures(context, node, definition, types, resolved.failure);
  const { overload } = resolved;
  // An untyped NULL has no SQL form; if it makes the call NULL, the result is NULL.
  if (args.some((arg, i) => isNullAlone(arg) && !takesNull(overload, i))) return nullOf(nullable(resolved.resultType), node.span);
  const given = args.map((arg, i): Plan => {
    const type = resolved.parameterTypes[i] ?? arg.type;
    return convertTo(arg, mayBeNull(arg) ? nullable(type) : type);
  });
  const checked = checkConstantArguments(context, definition.constantArgument, given, argumentSpans(node));
  if (checked === null) return errorPlan(node.span);
  const missing = overload.parameters.slice(given.length).map((parameter) => checkDefault(context, parameter, at));
  return {
    kind: 'Call',
    type: resolved.resultType,
    span: placeOf(context, node.span),
    function: definition.name,
    arguments: [...(checked === 'unknown' ? given : checked), ...missing],
  };
}

/** Reports each argument of a wrong type, independently of the others. */
function reportFailures(
  context: CheckContext,
  node: CallExpression,
  definition: FunctionDefinition,
  types: readonly Type[],
  first: OverloadFailure,
): Plan {
  let failure: OverloadFailure | null = first;
  let left = types;
  while (failure !== null) {
    const { kind } = failure;
    reportFailure(context, node, left, failure);
    if (kind === 'count') break;
    const failed: number = failure.index;
    left = left.map((type, i) => (i === failed ? errorType : type));
    const next = resolveOverload(definition, left);
    failure = 'failure' in next ? next.failure : null;
  }
  return errorPlan(node.span);
}

function takesNull(overload: Overload, index: number): boolean {
  const pattern = overload.parameters[Math.min(index, overload.parameters.length - 1)]?.pattern;
  return pattern?.kind === 'Concrete' ? pattern.type.isNullable : pattern?.isNullable === true;
}

function checkDefault(context: CheckContext, { pattern, defaultValue }: OverloadParameter, { node, scope }: CallAt): Plan {
  if (defaultValue === null || pattern.kind !== 'Concrete') throw new Error('what can be left out has a default of a type of its own');
  return convertTo(checkValue(context, { ...defaultValue, span: node.span }, scope), pattern.type);
}
