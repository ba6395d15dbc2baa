import type { Plan } from '../plan/plan.ts';
import type { Span } from '../text/span.ts';
import type { FunctionType, Type } from '../types/type.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';

/** A function as a value while a program is checked: it never reaches the plan, only what calls of it expand to. */
export interface FunctionValue {
  readonly kind: 'FunctionValue';
  readonly type: FunctionType;
  readonly span: Span;
  /** Expands a call. Arguments are in the order of the parameters; null stands for one that was not given. */
  readonly apply: (args: readonly (Operand | null)[], callSpan: Span) => Operand;
}

/** What an expression may stand for while it is checked. */
export type Operand = Plan | FunctionValue;

/** The plan of an operand where data is expected; a function there is an error. */
export function asData(context: CheckContext, operand: Operand): Plan {
  if (operand.kind !== 'FunctionValue') return operand;
  return report(context, 'function-as-data', operand.span);
}

/** Whether a plan is NULL of no type, which may stand where any value may. */
export function isNullAlone(plan: Plan): boolean {
  return plan.type.kind === 'AnyType' && plan.type.isUndetermined && plan.type.isNullable;
}

/** Whether a plan's type is the stand-in for an earlier fault. */
export function isFaulty(operand: Operand | Type): boolean {
  return operand.kind === 'ErrorType' || ('type' in operand && operand.type.kind === 'ErrorType');
}
