import type { Plan } from '@svc/query-language';
import { bool, nullable } from '@svc/query-language';

/** The operands of an AND, flat. */
export function conjuncts(condition: Plan): readonly Plan[] {
  return condition.kind === 'Logical' && condition.operator === 'and' ? condition.operands.flatMap(conjuncts) : [condition];
}

/** Combines conditions by AND; null without any. */
export function allOf(conditions: readonly Plan[], span: Plan['span']): Plan | null {
  const [first = null, ...rest] = conditions;
  if (rest.length === 0) return first;
  const type = conditions.some((part) => part.type.isNullable) ? nullable(bool) : bool;
  return { kind: 'Logical', type, span, operator: 'and', operands: conditions };
}
