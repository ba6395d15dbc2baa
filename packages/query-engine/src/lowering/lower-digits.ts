import type { Arithmetic, Comparison, Plan } from '@svc/query-language';

import { constantOf } from '../analysis/constant-of.ts';
import { isDecimal, isInteger } from '../analysis/number-types.ts';
import { DECIMAL_SCALE } from '../representation/duck-type.ts';
import { SQL, variableRef, type Sql } from '../sql/sql.ts';
import { lowerCase, lowerCoalesce } from './conditions.ts';
import { lowerLet } from './lower-let.ts';
import type { LoweringContext } from './lowering-context.ts';
import { callContext } from './lowering-context.ts';
import { atScale, decimalColumn, decimalScale, lowerScaledCall, wholeDecimal } from './scalars/decimal-scale.ts';
import { limitedValue, type LoweredOperand } from './scalars/limited-value.ts';
import { lowerArithmetic } from './scalars/lower-arithmetic.ts';
import { isConstantBeyond, lowerDecimalDigits } from './scalars/lower-constant.ts';
import type { Scope } from './scope.ts';
import { limitedContext } from './value-limits.ts';
import { withErrorPositions } from './with-error-positions.ts';

/** Like `lowerValue`, but a decimal keeps its own scale, for arithmetic and single results. */
export function lowerDigits(context: LoweringContext, plan: Plan, scope: Scope): Sql {
  if (plan.kind === 'Constant' && isDecimal(plan.type)) return lowerDecimalDigits(plan);
  const column = decimalColumn(plan, scope);
  if (column !== undefined) return column.sql;
  if (plan.kind !== 'Arithmetic')
    return (isDecimal(plan.type) && lowerChosenDigits(context, plan, scope)) || context.lowerValue(plan, scope);
  if (plan.operator === 'concatenate') {
    const call = limitedContext(context, plan, '||', scope);
    return limitedValue(call, operandsOf(context, plan, scope), (names) => lowerArithmetic(plan, names, scope, call));
  }
  const operands = plan.operands.map((operand) =>
    context.isAmbiguousInterval(operand) ? context.lowerValue(operand, scope) : lowerDigits(context, operand, scope),
  );
  const [, divisor] = plan.operands;
  return cutChain(
    plan,
    withErrorPositions(context, plan, scope, operands, (sqls, at) =>
      lowerArithmetic(plan, sqls, scope, { ...at, divisor: divisor && constantOf(divisor) }),
    ),
  );
}

/** Lowers a decimal at a scale that holds its digits after the point; past 38 digits in all it fails, at its span. */
function digitsAt(context: LoweringContext, plan: Plan, scope: Scope, scale: number): Sql {
  const sql = atScale(lowerDigits(context, plan, scope), scale);
  return decimalScale(plan, scope) === scale ? sql : callContext(context, plan, plan.kind, scope).castLine(sql);
}

/** Lowers what converts, chooses or rounds decimals at the scale of the result; undefined for others. */
function lowerChosenDigits(context: LoweringContext, plan: Plan, scope: Scope): Sql | undefined {
  const scale = decimalScale(plan, scope);
  const atResult = (part: Plan, inside: Scope): Sql => digitsAt(context, part, inside, scale);
  if (plan.kind === 'Convert' || plan.kind === 'Cast') {
    if (isInteger(plan.operand.type)) return wholeDecimal(context.lowerValue(plan.operand, scope));
    return isDecimal(plan.operand.type) ? lowerDigits(context, plan.operand, scope) : undefined;
  }
  if (scale >= DECIMAL_SCALE) return undefined;
  if (plan.kind === 'Case') return lowerCase(context, plan, scope, atResult);
  if (plan.kind === 'Coalesce') return lowerCoalesce(context, plan, scope, atResult);
  if (plan.kind === 'Let') return lowerLet(context, plan, scope, atResult);
  if (plan.kind === 'Call') return lowerScaledCall(plan, scope, (argument) => lowerDigits(context, argument, scope))?.sql;
  return undefined;
}

/**
 * Lowers the two sides of a comparison of decimals, at the larger scale of both. Beside a constant that has too many digits for
 * that scale, every other decimal counts as 0.
 */
export function comparedDecimals(context: LoweringContext, { left, right }: Comparison, scope: Scope): (side: Plan) => Sql {
  const scales = [left, right].map((side) => decimalScale(side, scope));
  const scale = Math.max(...scales);
  const isTooLong = (side: Plan): boolean => isConstantBeyond(side, Math.min(scale, DECIMAL_SCALE));
  if (isTooLong(left) !== isTooLong(right)) {
    const nought = (side: Plan): Sql => SQL`CASE WHEN ${context.lowerValue(side, scope)} IS NOT NULL THEN ${wholeDecimal(SQL`0`)} END`;
    return (side) => (isTooLong(side) ? lowerDigits(context, side, scope) : nought(side));
  }
  if (scale < DECIMAL_SCALE || new Set(scales).size === 1) return (side) => digitsAt(context, side, scope, scale);
  return (side) => context.lowerValue(side, scope);
}

/** Binding takes the engine time cubic in the length of a chain, so long ones are divided by lambdas. */
function cutChain(plan: Arithmetic, sql: Sql): Sql {
  let length = 1;
  for (let left = plan.operands[0]; left?.kind === 'Arithmetic'; left = left.operands[0]) length += 1;
  const cut = variableRef(`cut_${length}`);
  return length % LONGEST_CHAIN === 0 ? SQL`list_extract(list_transform([${sql}], lambda ${cut}: ${cut}), 1)` : sql;
}

const LONGEST_CHAIN = 50;

function operandsOf(context: LoweringContext, { operands }: Arithmetic, scope: Scope): readonly LoweredOperand[] {
  return operands.map((operand) => ({ sql: context.lowerValue(operand, scope), type: operand.type }));
}
