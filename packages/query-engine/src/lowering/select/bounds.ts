import type { Plan, Select } from '@svc/query-language';

import { constantOf } from '../../analysis/constant-of.ts';
import { select, subquery } from '../../sql/select.ts';
import { aliased, numberLiteral, SQL, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { callContext, freshColumn } from '../lowering-context.ts';
import type { Scope } from '../scope.ts';
import { singleRowRelation } from '../single-row-relation.ts';

/** Returns OFFSET and LIMIT of a self-contained relation, outside of branches: NULL is none, a negative one fails at run time. */
export function lowerBounds(context: LoweringContext, plan: Select, scope: Scope): Bounds {
  return { limit: boundSql(context, 'LIMIT', plan.limit, scope), offset: boundSql(context, 'OFFSET', plan.offset, scope) };
}

/** OFFSET and LIMIT; null is none. */
interface Bounds {
  readonly limit: Sql | null;
  readonly offset: Sql | null;
}

function boundSql(context: LoweringContext, word: 'LIMIT' | 'OFFSET', bound: Plan | null, scope: Scope): Sql | null {
  if (bound === null) return null;
  const constant = constantOf(bound);
  if (constant === null) return null;
  if (typeof constant === 'string' && Number(constant) >= 0) return numberLiteral(constant);
  const name = freshColumn(context, 'n');
  const { from, value } = singleRowRelation(context, bound, scope);
  const guarded = guardedBound(context, word, bound, name, scope);
  return subquery(select({ items: [guarded], from: subquery(select({ items: [aliased({ name, sql: value })], from })) }));
}

/** Returns a bound by name, which must not be negative. */
export function guardedBound(context: LoweringContext, word: 'LIMIT' | 'OFFSET', bound: Plan, name: Sql, scope: Scope): Sql {
  const call = callContext(context, bound, word, scope);
  const given = word === 'OFFSET' ? SQL`coalesce(${name}, 0)` : name;
  return SQL`CASE WHEN ${name} < 0 THEN ${call.raise(`${word} is negative`, bound.type)} ELSE ${given} END`;
}
