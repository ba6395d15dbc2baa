import type { Plan } from '../plan/plan.ts';
import type { CastExpression } from '../syntax/ast.ts';
import { castKind, nullable, printType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { placeOf, report } from './check-context.ts';
import { convertTo, mayBeNull } from './convert.ts';
import { checkValue } from './expression.ts';
import type { Scope } from './scope.ts';
import { checkType } from './written-type.ts';

/** `CAST(e AS type)`, `TRY_CAST(e AS type)`: a validation error when no value of e could pass. */
export function checkCast(context: CheckContext, node: CastExpression, scope: Scope): Plan {
  const operand = checkValue(context, node.operand, scope);
  const type = checkType(context, node.type, scope);
  if (operand.kind === 'Constant' && operand.value === null) return convertTo(operand, nullable(type));
  const kind = castKind(operand.type, type);
  if (kind === 'impossible') return report(context, 'impossible-cast', node.span, printType(operand.type), printType(type));
  const result = mayBeNull(operand) || (node.isTry && kind === 'may-fail') ? nullable(type) : type;
  return { kind: 'Cast', type: result, span: placeOf(context, node.span), operand, isTry: node.isTry };
}
