import type { Plan, Try } from '@svc/query-language';

import { canFail } from './can-fail.ts';
import type { LoweringContext } from './lowering-context.ts';
import { lowerValue } from './lower-value.ts';
import { isFailingConstant } from './opaque-case.ts';
import type { Scope } from './scope.ts';
import { tryOnce, trySql, typedTry } from './try-sql.ts';
import { somePart } from './variables.ts';

/** Lowers TRY: NULL if the operand fails. */
export function lowerTry(context: LoweringContext, plan: Try, scope: Scope): string {
  if (!canFail(plan.operand)) return lowerValue(context, plan.operand, scope);
  const sql = lowerValue(context, plan.operand, { ...scope, isInTry: true });
  const isWhole = somePart(plan.operand, (part) => (part.kind === 'Call' && part.function === 'RANDOM') || asksConstant(part, scope));
  return typedTry(isWhole ? tryOnce(sql) : trySql(sql, scope.lambda !== null), plan.operand.type);
}

/** Returns whether a CASE has a condition that the engine evaluates at planning, where no TRY catches it. */
function asksConstant(part: Plan, scope: Scope): boolean {
  if (part.kind === 'Logical') return part.operands.some((operand) => isFailingConstant(operand, scope));
  return part.kind === 'Case' && part.branches.some(({ when }) => isFailingConstant(when, scope));
}
