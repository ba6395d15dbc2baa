import type { CallExpression } from '../../syntax/ast.ts';
import { isAssignable, isSameType, nullable, printType } from '../../types/types.ts';
import type { FunctionType, Type } from '../../types/type.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { report } from '../check-context.ts';
import { asArgument } from '../fit-operand.ts';
import type { FunctionValue, Operand } from '../operand.ts';
import type { Candidate, FunctionCandidate, Scope } from '../scope.ts';
import { checkArgument, matchArguments } from './arguments.ts';

/** A call of a declared function: of the overload that fits. */
export function checkDeclaredCall(context: CheckContext, node: CallExpression, declared: Candidate, scope: Scope): Operand {
  const span = node.callee.span;
  const overloads = declared.overloads ?? [];
  const isOverloaded = overloads.length > 1;
  const given = isOverloaded ? checkData(context, node, scope) : [];
  const operand = isOverloaded ? chooseOverload(context, node, overloads, given) : declared.use(span);
  if (operand.kind !== 'FunctionValue') return checkRest(context, node, scope);
  return checkFunctionValueCall(context, node, operand, scope, given);
}

/** The arguments that can be checked before it is known which function is called; null for lambdas. */
function checkData(context: CheckContext, node: CallExpression, scope: Scope): readonly (Operand | null)[] {
  return node.arguments.map((argument, i) =>
    argument.value.kind === 'LambdaExpression' ? null : checkArgument(context, node, i, scope, null),
  );
}

/** Checks the arguments of an invalid call, to report their faults too. */
export function checkRest(context: CheckContext, node: CallExpression, scope: Scope): Operand {
  for (const [i, argument] of node.arguments.entries())
    if (argument.value.kind !== 'LambdaExpression') checkArgument(context, node, i, scope, null);
  return errorPlan(node.span);
}

/** Checks a call of a function value; `given` are its arguments that have been checked already. */
export function checkFunctionValueCall(
  context: CheckContext,
  node: CallExpression,
  callee: FunctionValue,
  scope: Scope,
  given: readonly (Operand | null)[] = [],
): Operand {
  const { parameters } = callee.type;
  const matched = matchArguments(
    context,
    node,
    parameters.map(({ name, isOptional }) => ({ name, isOptional })),
  );
  if (matched === null) return checkRest(context, node, scope);
  const args = matched.map((index, i): Operand | null => {
    if (index === null) return null;
    const type = parameters[i]?.type;
    const value = node.arguments[index]?.value;
    if (type === undefined || value === undefined) throw new Error('an argument was matched to no parameter');
    return asArgument(context, given[index] ?? context.checkOperand(value, scope, type), type, value.span);
  });
  if (args.some((arg) => arg !== null && isFaulty(arg))) return errorPlan(node.span);
  return callee.apply(args, node.span);
}

/** Selects the overload that accepts the arguments; one with the same types takes precedence over one they widen to. */
function chooseOverload(
  context: CheckContext,
  node: CallExpression,
  overloads: readonly FunctionCandidate[],
  given: readonly (Operand | null)[],
): Operand {
  const types = given.map((operand) => operand?.type ?? null);
  if (types.some((type) => type?.kind === 'ErrorType')) return errorPlan(node.span);
  const fits = (overload: FunctionCandidate, test: (from: Type, to: Type) => boolean): boolean => {
    const required = overload.parameters.filter((parameter) => !parameter.hasDefault).length;
    return (
      types.length >= required &&
      types.length <= overload.parameters.length &&
      types.every((type, i) => {
        const parameter = overload.parameters[i]?.type;
        return parameter !== undefined && (type === null ? isFunctionType(parameter) : test(type, parameter));
      })
    );
  };
  const exact = overloads.filter((overload) => fits(overload, (from, to) => isSameType(from, to)));
  const found = exact.length > 0 ? exact : overloads.filter((overload) => fits(overload, (from, to) => isAssignable(from, nullable(to))));
  const [first, second] = found;
  if (first === undefined)
    return report(
      context,
      'no-overload',
      node.callee.span,
      types.map((type) => (type === null ? 'a function' : printType(type))),
    );
  if (second === undefined) return first.value();
  return haveSameParameters(first, second) ? errorPlan(node.span) : report(context, 'ambiguous-call', node.callee.span);
}

/** Returns whether two overloads have the same parameters, which is reported at their declarations. */
function haveSameParameters(a: FunctionCandidate, b: FunctionCandidate): boolean {
  return (
    a.parameters.length === b.parameters.length && a.parameters.every(({ type }, i) => isSameType(type, b.parameters[i]?.type ?? type))
  );
}

function isFunctionType(type: Type): type is FunctionType {
  return type.kind === 'FunctionType';
}
