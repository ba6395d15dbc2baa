import type { Call, Coalesce, Plan, Try } from '@svc/query-language';
import { bool, findFunction, isFallible, notNullable, nullable, nullOf, ownValue } from '@svc/query-language';

import { constantOf } from '../analysis/constant-of.ts';
import { isFallibleConstant } from '../analysis/correlation.ts';
import { somePart } from '../analysis/variables.ts';
import { isVolatile } from '../analysis/volatility.ts';
import { duckType } from '../representation/duck-type.ts';
import { castTo, type Sql } from '../sql/sql.ts';
import { TRIED_LOWERINGS } from './functions/index.ts';
import type { LoweringContext } from './lowering-context.ts';
import { callContext } from './lowering-context.ts';
import type { LoweredArgument } from './lowering-types.ts';
import { inTry, type Scope } from './scope.ts';
import { tryOnce, trySql } from './try-sql.ts';

/** Lowers TRY: NULL if the operand fails. */
export function lowerTry(context: LoweringContext, attempt: Attempt, scope: Scope): Sql {
  const { operand } = attempt;
  if (!isFallible(operand)) return context.lowerValue(operand, scope);
  const known = lowerAsNull(context, attempt, scope);
  if (known !== null) return known;
  const sql = context.lowerValue(withoutZero(operand, scope), inTry(scope));
  const isWhole = isVolatile(operand) || somePart(operand, (part) => asksConstant(part, scope));
  // The engine gives no type to a TRY that fails at planning.
  return castTo(isWhole ? tryOnce(sql) : trySql(sql, scope), duckType(operand.type));
}

type Attempt = Pick<Try, 'operand' | 'type'>;

/**
 * Lowers an operand that is NULL by itself where it fails, and of NULL, so that its own operand is tried before: of thousands of
 * rows with one that fails the engine's TRY evaluates each by itself. Returns null for others.
 */
function lowerAsNull(context: LoweringContext, { operand, type }: Attempt, scope: Scope): Sql | null {
  if (operand.kind === 'Cast') return context.lowerValue({ ...operand, isTry: true, type, operand: tried(operand.operand) }, scope);
  if (operand.kind === 'Field') return context.lowerValue({ ...operand, type, target: tried(operand.target) }, scope);
  if (operand.kind === 'Call') return lowerTriedCall(context, operand, scope);
  const first = operand.kind === 'Coalesce' && failsAfterFirst(operand) ? operand.operands[0] : undefined;
  return first === undefined ? null : lowerTry(context, { operand: first, type }, scope);
}

function lowerTriedCall(context: LoweringContext, call: Call, scope: Scope): Sql | null {
  const lowering = ownValue(TRIED_LOWERINGS, call.function);
  if (lowering === undefined) return null;
  const args = call.arguments.map((argument): LoweredArgument => ({
    sql: context.lowerValue(tried(argument), scope),
    type: argument.type,
    constant: constantOf(argument),
  }));
  return lowering(args, callContext(context, call, call.function, scope));
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
