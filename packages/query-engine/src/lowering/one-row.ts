import type { Plan } from '@svc/query-language';

import type { LoweringContext } from './lowering-context.ts';
import { lowerValue } from './lower-value.ts';
import type { Scope } from './scope.ts';
import { createPrelude, withPrelude } from './scope.ts';

/** A FROM text of one row. */
export const UNIT = '(SELECT 0 AS unit)';

/** A value as the only row of a relation: `from` has one row, on which `value` is evaluated. */
export function oneRow<T>(
  context: LoweringContext,
  plan: Plan,
  scope: Scope,
  finish: (sql: string) => T,
): { readonly from: string; readonly value: T } {
  const prelude = createPrelude(context);
  const value = finish(lowerValue(context, plan, { ...scope, prelude, lambda: null }));
  return { from: withPrelude(UNIT, prelude), value };
}
