import { constant, failure, nullOf } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { CastExpression, TypeExpression } from '../syntax/ast.ts';
import { castKind, int, isPrimitive, notNullable, nullable, printType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { placeOf, report } from './check-context.ts';
import { boolOf, convertTo, mayBeNull } from './convert.ts';
import { letIn } from './bind.ts';
import { checkValue } from './check-value.ts';
import type { Scope } from './scope.ts';
import { checkType } from './written-type.ts';

/** `CAST(e AS type)`, `TRY_CAST(e AS type)`: a validation error when no value of e could pass. */
export function checkCast(context: CheckContext, node: CastExpression, scope: Scope): Plan {
  const operand = checkValue(context, node.operand, scope);
  const sizes = sizesOf(node.type);
  const type = checkType(context, withoutSizes(node.type), scope);
  if (operand.kind === 'Constant' && operand.value === null) return convertTo(operand, nullable(type));
  const kind = castKind(operand.type, type);
  if (kind === 'impossible') return report(context, 'impossible-cast', node.span, printType(operand.type), printType(type));
  const result = mayBeNull(operand) || (node.isTry && kind === 'may-fail') ? nullable(type) : type;
  const cast: Plan = { kind: 'Cast', type: result, span: placeOf(context, node.span), operand, isTry: node.isTry };
  return sizes === null || !isPrimitive(type, 'decimal') ? cast : withSizes(context, node, cast, sizes);
}

function withoutSizes(type: TypeExpression): TypeExpression {
  return type.kind === 'NamedTypeExpression' ? { ...type, sizes: [] } : type;
}

/** Returns precision and scale of `decimal(p, s)`; null if there are none. */
function sizesOf(type: TypeExpression): readonly number[] | null {
  return type.kind === 'NamedTypeExpression' && type.sizes.length > 0 ? type.sizes : null;
}

const MOST_DIGITS = 38;
const MOST_SCALE = 18;

/** `decimal(p, s)`: rounded half up to s places; a value of more than p digits fails, or is NULL in TRY_CAST. */
function withSizes(context: CheckContext, node: CastExpression, cast: Plan, sizes: readonly number[]): Plan {
  const [precision = 0, scale = 0] = sizes;
  const areGood = precision >= 1 && precision <= MOST_DIGITS && scale <= Math.min(precision, MOST_SCALE) && sizes.length <= 2;
  if (!areGood) return report(context, 'bad-sizes', node.type.span);
  const { span } = cast;
  const places = constant(int, String(scale), span);
  const rounded: Plan = { kind: 'Call', type: cast.type, span, function: 'ROUND', arguments: [cast, places] };
  if (precision - scale >= MOST_DIGITS) return rounded;
  return letIn(context, rounded, (use) => {
    const limit = `1${'0'.repeat(precision - scale)}`;
    const compared = (operator: '>=' | '<=', text: string): Plan => {
      const right = constant(notNullable(cast.type), text, span);
      return { kind: 'Comparison', type: boolOf(cast), span, operator, left: use, right };
    };
    const operands = [compared('>=', limit), compared('<=', `-${limit}`)];
    const tooLarge: Plan = { kind: 'Logical', type: boolOf(cast), span, operator: 'or', operands };
    const type = node.isTry ? nullable(cast.type) : cast.type;
    const problem = `the number has more than ${precision - scale} digits before the point`;
    const then = node.isTry ? nullOf(type, span) : failure(problem, type, span);
    return { kind: 'Case', type, span, branches: [{ when: tooLarge, then }], otherwise: convertTo(use, type) };
  });
}
