import { bool } from '../types/types.ts';
import type { Plan } from '../plan/plan.ts';
import type { Expression } from '../syntax/ast.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import { expectOperand } from './convert.ts';
import type { Operand } from './operand.ts';
import type { Scope } from './scope.ts';

/** Checks an expression where data is expected. */
export function checkValue(context: CheckContext, expression: Expression, scope: Scope): Plan {
  return asData(context, context.checkOperand(expression, scope));
}

/** The plan of an operand where data is expected; a function there is an error. */
export function asData(context: CheckContext, operand: Operand): Plan {
  if (operand.kind !== 'FunctionValue') return operand;
  return report(context, 'function-as-data', operand.span);
}

/** Checks a condition. */
export function checkCondition(context: CheckContext, condition: Expression, scope: Scope): Plan {
  return expectOperand(context, checkValue(context, condition, scope), bool, condition.span);
}
