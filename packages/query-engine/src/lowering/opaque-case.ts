import type { Plan } from '@svc/query-language';

import { canFail } from './can-fail.ts';
import { holdsSubquery } from './plan-form.ts';
import type { Scope } from './scope.ts';
import { dependsOnRow } from './scope.ts';

/**
 * Wraps SQL in a CASE that the engine cannot decide before it has rows. The engine evaluates expressions that do not depend
 * on a row at planning, and fails there even if no row needs them; and it computes repeated expressions once and before.
 */
export function inOpaqueCase(sql: string, scope: Scope): string {
  return `CASE WHEN hash(${scope.prelude.add('0')}) IS NOT NULL THEN ${sql} END`;
}

/** Returns whether a plan is fallible and does not depend on a row. */
export function isFailingConstant(plan: Plan, scope: Scope): boolean {
  return canFail(plan) && !dependsOnRow(plan, scope) && !holdsSubquery(plan, scope);
}
