import type { Plan } from '@svc/query-language';

import { identityParts } from '../analysis/decorrelation-identity.ts';
import { lowerValue } from './lower-value.ts';
import type { LoweringContext } from './lowering-context.ts';
import type { Scope } from './scope.ts';

/** Returns an always-true WHERE, or nothing, for a correlated subquery: it adds the correlated columns that tell its identical rows. */
export function identityPredicate(context: LoweringContext, plan: Plan, scope: Scope): string {
  const columns = new Set(
    identityParts(plan, scope.variables).map(({ part, variables, by }) => {
      const sql = lowerValue(context, part, { ...scope, variables });
      return scope.hoisted.add(by === 'text' ? `CAST(${sql} AS VARCHAR)` : `signbit(${sql})`);
    }),
  );
  return columns.size === 0 ? '' : ` WHERE ${[...columns].map((column) => `(${column} IS NULL OR TRUE)`).join(' AND ')}`;
}
