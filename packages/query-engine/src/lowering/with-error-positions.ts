import type { Arithmetic, Call } from '@svc/query-language';
import { findFunction, isFallible } from '@svc/query-language';

import { SQL, type Sql } from '../sql/sql.ts';
import { unfolded } from './fold-barrier.ts';
import type { LoweringContext } from './lowering-context.ts';
import { callContext } from './lowering-context.ts';
import type { CallContext } from './lowering-types.ts';
import { letExpression } from './scalars/let-expression.ts';
import { inTry, type Scope } from './scope.ts';
import { trySql } from './try-sql.ts';

/**
 * Builds an operation over lowered operands. In a statement with error positions, a failing operation is tried and its
 * failure raised again with the position, which the engine's own failures lack.
 */
export function withErrorPositions(
  context: LoweringContext,
  plan: Arithmetic | Call,
  scope: Scope,
  operands: readonly Sql[],
  build: (operands: readonly Sql[], call: CallContext) => Sql,
): Sql {
  const call = callContext(context, plan, plan.kind, scope);
  const hasOwnPosition = plan.kind === 'Call' && findFunction(plan.function)?.alwaysFails === true;
  const ownFailure = isFallible({ ...plan, ...(plan.kind === 'Call' ? { arguments: [] } : { operands: [] }) });
  if (context.environment.hasErrorPositions !== true || scope.isInTry || hasOwnPosition || !ownFailure) {
    const sql = build(operands, call);
    const parts = plan.kind === 'Call' ? plan.arguments : plan.operands;
    return ownFailure && !parts.some(isFallible) ? unfolded(sql, plan, scope) : sql;
  }
  const silent = callContext(context, plan, plan.kind, inTry(scope));
  return letExpression(operands, (...names) =>
    letExpression(
      [trySql(SQL`struct_pack(v := ${build(names, silent)})`, scope)],
      (attempt) => SQL`CASE WHEN ${attempt} IS NULL THEN ${call.raise('', plan.type)} ELSE ${attempt}.v END`,
    ),
  );
}
