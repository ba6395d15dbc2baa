import type { LambdaExpression } from '../syntax/ast.ts';
import type { FunctionType } from '../types/type.ts';
import { printFunctionType } from '../types/print.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan } from './operand.ts';
import { report } from './check-context.ts';
import { areParametersFaulty } from './parameters.ts';
import type { KnownParameter } from './function-value.ts';
import { makeFunctionValue } from './function-value.ts';
import type { Operand } from './operand.ts';
import type { Scope } from './scope.ts';
import { checkType } from './written-type.ts';

/** Checks a lambda. Parameter types are declared or come from the expected type. */
export function checkLambda(context: CheckContext, node: LambdaExpression, scope: Scope, expected: FunctionType | null): Operand {
  const parameters: KnownParameter[] = [];
  if (areParametersFaulty(context, node.parameters)) return errorPlan(node.span);
  const isUntyped = node.parameters.some((parameter) => parameter.type === null);
  if (isUntyped && expected !== null && expected.parameters.length !== node.parameters.length) {
    const found = `(${node.parameters.map((parameter) => parameter.name.text).join(', ')}) -> …`;
    return report(context, 'type-mismatch', node.span, printFunctionType(expected), found, null);
  }
  for (const [i, parameter] of node.parameters.entries()) {
    const wanted = expected?.parameters[i]?.type ?? null;
    const type = parameter.type === null ? wanted : checkType(context, parameter.type, scope);
    if (type === null) return report(context, 'parameter-type-needed', parameter.span, parameter.name.text);
    parameters.push({ name: parameter.name.text, type, defaultValue: parameter.defaultValue });
  }
  const resultType = node.resultType === null ? null : checkType(context, node.resultType, scope);
  const source = {
    span: node.span,
    parameters,
    resultType,
    resultTypeSpan: node.body.span,
    body: node.body,
    scope,
    isBoundary: false,
    isAppliedAtOnce: expected?.result.kind === 'ErrorType' && expected.parameters.length === parameters.length,
  };
  return makeFunctionValue(context, source) ?? errorPlan(node.span);
}
