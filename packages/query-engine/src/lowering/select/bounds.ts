import type { Plan, Select } from '@svc/query-language';

import { constantOf } from '../../analysis/constant-of.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { callContext, freshName } from '../lowering-context.ts';
import type { Scope } from '../scope.ts';
import { singleRowRelation } from '../single-row-relation.ts';

/** Returns OFFSET and LIMIT of a self-contained relation, outside of branches: NULL is none, a negative one fails at run time. */
export function boundsText(context: LoweringContext, plan: Select, scope: Scope): string {
  return boundText(context, 'LIMIT', plan.limit, scope) + boundText(context, 'OFFSET', plan.offset, scope);
}

function boundText(context: LoweringContext, word: 'LIMIT' | 'OFFSET', bound: Plan | null, scope: Scope): string {
  if (bound === null) return '';
  const constant = constantOf(bound);
  if (constant === null) return '';
  if (typeof constant === 'string' && Number(constant) >= 0) return ` ${word} ${constant}`;
  const name = freshName(context, 'n');
  const { from, value } = singleRowRelation(context, bound, scope, (sql) => sql);
  return ` ${word} (SELECT ${guardedBound(context, word, bound, { name, isInTry: false })} FROM (SELECT ${value} AS ${name} FROM ${from}))`;
}

/** Returns a bound by name, which must not be negative. */
export function guardedBound(
  context: LoweringContext,
  word: 'LIMIT' | 'OFFSET',
  bound: Plan,
  { name, isInTry }: { readonly name: string; readonly isInTry: boolean },
): string {
  const call = callContext(context, bound, { functionName: word, isInTry });
  const given = word === 'OFFSET' ? `coalesce(${name}, 0)` : name;
  return `CASE WHEN ${name} < 0 THEN ${call.raise(`${word} is negative`, bound.type)} ELSE ${given} END`;
}
