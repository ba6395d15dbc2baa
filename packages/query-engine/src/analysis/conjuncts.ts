import type { Plan } from '@svc/query-language';

/** The operands of an AND, flat. */
export function conjuncts(condition: Plan): readonly Plan[] {
  return condition.kind === 'Logical' && condition.operator === 'and' ? condition.operands.flatMap(conjuncts) : [condition];
}
