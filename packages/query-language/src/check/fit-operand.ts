import type { Span } from '../text/span.ts';
import { printFunctionType } from '../types/print.ts';
import { isSameType } from '../types/same-type.ts';
import type { FunctionType, Type } from '../types/type.ts';
import { isAssignable, nullable } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import { expectType, mayBeNull } from './convert.ts';
import type { FunctionValue, Operand } from './operand.ts';
import { isFaulty } from './operand.ts';

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

/** An argument as the type of its parameter, which the argument's NULL may add to. */
export function asArgument(context: CheckContext, operand: Operand, type: Type, span: Span): Operand {
  const isNullable = operand.kind !== 'FunctionValue' && type.kind !== 'FunctionType' && !isFaulty(operand) && mayBeNull(operand);
  return fitOperand(context, operand, isNullable ? nullable(type) : type, span);
}

/** Converts a function to another function type: calls take arguments of that type and return its result. */
function functionAs(context: CheckContext, value: FunctionValue, wanted: FunctionType): FunctionValue {
  const result = wanted.result.kind === 'ErrorType' ? value.type.result : wanted.result;
  const parameters = wanted.parameters.map((parameter, i) => ({
    ...parameter,
    name: parameter.name ?? value.type.parameters[i]?.name ?? null,
  }));
  const type: FunctionType = { ...wanted, parameters, result };
  if (isSameType(value.type.result, result)) return { ...value, type };
  return {
    ...value,
    type,
    apply: (args, callSpan) => asArgument(context, value.apply(args, callSpan), result, callSpan),
  };
}
