import type { Plan } from '@svc/query-language';

import { canFail } from './can-fail.ts';
import { holdsSubquery } from './plan-form.ts';
import type { Scope } from './scope.ts';
import { dependsOnRow } from './scope.ts';

/**
 * The same SQL in a CASE that the engine cannot decide before there are rows. What uses nothing of a row it looks at when it
 * plans the statement, and fails there, also where no row comes to it; and what occurs twice it computes once and before.
 */
export function inOpaqueCase(sql: string, scope: Scope): string {
  return `CASE WHEN hash(${scope.prelude.add('0')}) IS NOT NULL THEN ${sql} END`;
}

/** Whether a plan can fail, and uses nothing of a row. */
export function isFailingConstant(plan: Plan, scope: Scope): boolean {
  return canFail(plan) && !dependsOnRow(plan, scope) && !holdsSubquery(plan, scope);
}
