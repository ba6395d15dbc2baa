import type { Plan } from '@svc/query-language';

import { identityParts } from '../analysis/decorrelation-identity.ts';
import { castTo, SQL, type Sql } from '../sql/sql.ts';
import type { LoweringContext } from './lowering-context.ts';
import type { Scope } from './scope.ts';

/** Returns conditions that are always true for a correlated subquery: they add the texts of correlated columns, which tell its identical rows. */
export function identityPredicate(context: LoweringContext, plan: Plan, scope: Scope): readonly Sql[] {
  const columns = new Set(identityParts(plan, scope).map((part) => scope.hoisted.add(castTo(context.lowerValue(part, scope), 'VARCHAR'))));
  return [...columns].map((column) => SQL`(${column} IS NULL OR TRUE)`);
}
