import type { Arithmetic, Call } from '@svc/query-language';

import { canFail } from './can-fail.ts';
import type { LoweringContext } from './lowering-context.ts';
import { callContext } from './lowering-context.ts';
import type { CallContext } from './lowering-types.ts';
import { inOpaqueCase, isFailingConstant } from './opaque-case.ts';
import { bindOnce } from './scalars/bind-once.ts';
import type { Scope } from './scope.ts';
import { trySql } from './try-sql.ts';

/**
 * Builds an operation over lowered operands. In the located form, a failing one reports its position, which the engine's own
 * failures lack: it is tried, and raised again.
 */
export function located(
  context: LoweringContext,
  plan: Arithmetic | Call,
  scope: Scope,
  operands: readonly string[],
  build: (operands: readonly string[], call: CallContext) => string,
): string {
  const call = callContext(context, plan, { functionName: plan.kind, isInTry: scope.isInTry });
  const isSelfFailing = plan.kind === 'Call' && (plan.function === 'RANDOM' || plan.function === 'ERROR');
  const ownFailure = canFail({ ...plan, ...(plan.kind === 'Call' ? { arguments: [] } : { operands: [] }) });
  if (context.environment.isLocated !== true || scope.isInTry || isSelfFailing || !ownFailure) {
    const sql = build(operands, call);
    return ownFailure && isFirstFailure(plan, scope) ? inOpaqueCase(sql, scope) : sql;
  }
  const silent = callContext(context, plan, { functionName: plan.kind, isInTry: true });
  return bindOnce(operands, (...names) =>
    bindOnce(
      [trySql(`struct_pack(v := ${build(names, silent)})`, scope.lambda !== null)],
      (attempt) => `CASE WHEN ${attempt} IS NULL THEN ${call.raise('', plan.type)} ELSE ${attempt}.v END`,
    ),
  );
}

/** Returns whether an operation is in a branch, does not depend on a row, and can fail by itself. */
function isFirstFailure(plan: Arithmetic | Call, scope: Scope): boolean {
  if (!scope.isInBranch || scope.lambda !== null || scope.isInTry) return false;
  const parts = plan.kind === 'Call' ? plan.arguments : plan.operands;
  return !parts.some(canFail) && isFailingConstant(plan, scope);
}
