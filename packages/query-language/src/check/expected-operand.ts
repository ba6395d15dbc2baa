import type { Expression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { FunctionType, Type } from '../types/type.ts';
import { printFunctionType } from '../types/print.ts';
import { isAssignable, nullable } from '../types/types.ts';
import { builtinValue } from './builtin-value.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import { expectType } from './convert.ts';
import { checkOperand } from './expression.ts';
import { functionAs } from './function-value.ts';
import { checkLambda } from './lambda.ts';
import type { Operand } from './operand.ts';
import { isFaulty } from './operand.ts';
import type { Scope } from './scope.ts';
import { findCandidates } from './scope.ts';

/**
 * Checks an expression with an expected type, which determines the parameter types of a lambda and the overload of a
 * built-in function.
 */
export function checkExpecting(context: CheckContext, value: Expression, scope: Scope, expected: Type | null): Operand {
  const wanted = expected?.kind === 'FunctionType' ? expected : null;
  if (value.kind === 'LambdaExpression') return checkLambda(context, value, scope, wanted);
  const isFree = value.kind === 'NameExpression' && wanted !== null && findCandidates(scope, value.name, () => true).length === 0;
  return (isFree ? builtinValue(context, value.name, scope, wanted) : null) ?? checkOperand(context, value, scope);
}

/** Converts an operand to a type, data or function, or reports a mismatch. */
export function fitOperand(context: CheckContext, operand: Operand, type: Type, span: Span): Operand {
  if (isFaulty(operand) || type.kind === 'ErrorType') return operand;
  if (operand.kind !== 'FunctionValue' && type.kind !== 'FunctionType') return expectType(context, operand, type, span);
  if (operand.kind === 'FunctionValue' && type.kind === 'FunctionType') {
    const callable = callableAs(operand.type, type);
    if (isAssignable(callable, type)) return functionAs(context, { ...operand, type: callable }, type);
  }
  return report(context, 'type-mismatch', span, printFunctionType(type), printFunctionType(operand.type), null);
}

/** Adapts a function type to a caller that may pass NULL: such a call returns NULL. */
function callableAs(given: FunctionType, wanted: FunctionType): FunctionType {
  const meetsNull = given.parameters.map(({ type }, i) => {
    const other = wanted.parameters[i]?.type;
    return other !== undefined && other.kind !== 'FunctionType' && type.kind !== 'FunctionType' && other.isNullable && !type.isNullable;
  });
  if (given.result.kind === 'FunctionType' || !meetsNull.includes(true)) return given;
  const parameters = given.parameters.map((parameter, i) =>
    meetsNull[i] === true ? { ...parameter, type: nullable(parameter.type) } : parameter,
  );
  return { ...given, parameters, result: nullable(given.result) };
}
