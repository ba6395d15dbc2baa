import { errorType } from '../types/types.ts';
import { constant } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { Span } from '../text/span.ts';
import type { FunctionType, Type } from '../types/type.ts';

/** A function value during the check. It never reaches the plan: its calls are expanded. */
export interface FunctionValue {
  readonly kind: 'FunctionValue';
  readonly type: FunctionType;
  readonly span: Span;
  /** Expands a call. Arguments are in the order of the parameters; null marks an omitted one. */
  readonly apply: (args: readonly (Operand | null)[], callSpan: Span) => Operand;
}

/** Result of checking an expression: a plan or a function. */
export type Operand = Plan | FunctionValue;

/** Returns whether a plan is an untyped NULL, which is accepted in place of any value. */
export function isNullAlone(plan: Plan): boolean {
  return plan.type.kind === 'AnyType' && plan.type.isUndetermined && plan.type.isNullable;
}

/** Returns whether a plan has the error type, that is, a diagnostic has been reported for it. */
export function isFaulty(operand: Operand | Type): boolean {
  return operand.kind === 'ErrorType' || ('type' in operand && operand.type.kind === 'ErrorType');
}

/** Returns the error plan; its type agrees with every type. */
export function errorPlan(span: Span): Plan {
  return constant(errorType, null, span);
}
