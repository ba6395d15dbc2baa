import type { Plan, Try } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { isFallibleConstant } from '../analysis/correlation.ts';
import { somePart } from '../analysis/variables.ts';
import { isVolatile } from '../analysis/volatility.ts';
import { duckType } from '../representation/duck-type.ts';
import { castTo, type Sql } from '../sql/sql.ts';
import type { LoweringContext } from './lowering-context.ts';
import { inTry, type Scope } from './scope.ts';
import { tryOnce, trySql } from './try-sql.ts';

/** Lowers TRY: NULL if the operand fails. */
export function lowerTry(context: LoweringContext, plan: Try, scope: Scope): Sql {
  if (!isFallible(plan.operand)) return context.lowerValue(plan.operand, scope);
  const sql = context.lowerValue(plan.operand, inTry(scope));
  const isWhole = isVolatile(plan.operand) || somePart(plan.operand, (part) => asksConstant(part, scope));
  // The engine gives no type to a TRY that fails at planning.
  return castTo(isWhole ? tryOnce(sql) : trySql(sql, scope), duckType(plan.operand.type));
}

/** Returns whether a CASE has a condition that the engine evaluates at planning, where no TRY catches it. */
function asksConstant(part: Plan, scope: Scope): boolean {
  if (part.kind === 'Logical') return part.operands.some((operand) => isFallibleConstant(operand, scope));
  return part.kind === 'Case' && part.branches.some(({ when }) => isFallibleConstant(when, scope));
}
