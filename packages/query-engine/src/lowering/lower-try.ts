import type { Coalesce, Plan, Try } from '@svc/query-language';
import { bool, findFunction, isFallible, notNullable, nullable, nullOf } from '@svc/query-language';

import { isFallibleConstant } from '../analysis/correlation.ts';
import { somePart } from '../analysis/variables.ts';
import { isVolatile } from '../analysis/volatility.ts';
import { duckType } from '../representation/duck-type.ts';
import { castTo, type Sql } from '../sql/sql.ts';
import type { LoweringContext } from './lowering-context.ts';
import { inTry, type Scope } from './scope.ts';
import { tryOnce, trySql } from './try-sql.ts';

/** Lowers TRY: NULL if the operand fails. */
export function lowerTry(context: LoweringContext, { operand, type }: Pick<Try, 'operand' | 'type'>, scope: Scope): Sql {
  if (!isFallible(operand)) return context.lowerValue(operand, scope);
  // What is NULL of NULL is applied to what is tried: the engine's TRY takes long for what fails, TRY_CAST does not.
  if (operand.kind === 'Cast') return context.lowerValue({ ...operand, isTry: true, type, operand: tried(operand.operand) }, scope);
  if (operand.kind === 'Coalesce' && failsAfterFirst(operand))
    return lowerTry(context, { operand: operand.operands[0] ?? operand, type }, scope);
  if (operand.kind === 'Field') return context.lowerValue({ ...operand, type, target: tried(operand.target) }, scope);
  const sql = context.lowerValue(withoutZero(operand, scope), inTry(scope));
  const isWhole = isVolatile(operand) || somePart(operand, (part) => asksConstant(part, scope));
  // The engine gives no type to a TRY that fails at planning.
  return castTo(isWhole ? tryOnce(sql) : trySql(sql, scope), duckType(operand.type));
}

/** Returns whether all that stands for NULL is a failure, as where a part of an `any` has no NULL. */
function failsAfterFirst({ operands }: Coalesce): boolean {
  return operands.slice(1).every((later) => later.kind === 'Call' && findFunction(later.function)?.alwaysFails === true);
}

function tried(operand: Plan): Plan {
  return isFallible(operand) ? { kind: 'Try', operand, type: nullable(operand.type), span: operand.span } : operand;
}

/** Returns a division whose divisor is NULL where it is 0: each row that fails in a TRY of the engine takes 25 µs and more. */
function withoutZero(plan: Plan, scope: Scope): Plan {
  if (plan.kind !== 'Arithmetic' || (plan.operator !== 'divide' && plan.operator !== 'modulo')) return plan;
  const [dividend, divisor] = plan.operands;
  if (dividend === undefined || divisor === undefined) return plan;
  // A TRY in the divisor of another, and so on, would double the SQL each time; constants are evaluated at planning.
  if (isVolatile(divisor) || somePart(divisor, (part) => part.kind === 'Try' || isFallibleConstant(part, scope))) return plan;
  const { type, span } = divisor;
  const zero: Plan = { kind: 'Constant', type: notNullable(type), span, value: '0' };
  const when: Plan = {
    kind: 'Comparison',
    operator: '<>',
    left: divisor,
    right: zero,
    type: type.isNullable ? nullable(bool) : bool,
    span,
  };
  const some: Plan = { kind: 'Case', branches: [{ when, then: divisor }], otherwise: nullOf(type, span), type: nullable(type), span };
  return { ...plan, operands: [dividend, some] };
}

/** Returns whether a CASE has a condition that the engine evaluates at planning, where no TRY catches it. */
function asksConstant(part: Plan, scope: Scope): boolean {
  if (part.kind === 'Logical') return part.operands.some((operand) => isFallibleConstant(operand, scope));
  return part.kind === 'Case' && part.branches.some(({ when }) => isFallibleConstant(when, scope));
}
