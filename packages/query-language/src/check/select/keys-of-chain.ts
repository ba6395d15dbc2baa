import type { Arithmetic, GroupKey, Logical, Plan } from '../../plan/plan.ts';
import { isSamePlan } from '../../plan/same-plan.ts';

/** Replaces keys within flattened chains: AND, OR and concatenation are n-ary, so adjacent operands that equal a key become the key. */
export function withKeysOfChain(plan: Plan, keys: readonly GroupKey[]): Plan {
  if (!isChain(plan)) return plan;
  const chains = keys.flatMap(({ id, value }) => (isPartOf(value, plan) ? [{ id, value }] : []));
  const operands: Plan[] = [];
  for (let i = 0; i < plan.operands.length;) {
    const rest = plan.operands.slice(i);
    const key = chains.find(({ value }) => value.operands.every((operand, k) => rest[k] !== undefined && isSamePlan(operand, rest[k])));
    const [first, last] = [rest[0], rest[(key?.value.operands.length ?? 1) - 1]];
    if (first === undefined || last === undefined) throw new Error('an operand is missing');
    const span = { start: first.span.start, end: last.span.end };
    operands.push(key === undefined ? first : { kind: 'Variable', type: key.value.type, span, id: key.id });
    i += key?.value.operands.length ?? 1;
  }
  return { ...plan, operands };
}

function isChain(plan: Plan): plan is Logical | Arithmetic {
  return plan.kind === 'Logical' || (plan.kind === 'Arithmetic' && plan.operator === 'concatenate');
}

function isPartOf(value: Plan, plan: Logical | Arithmetic): value is Logical | Arithmetic {
  return isChain(value) && value.operator === plan.operator && value.operands.length < plan.operands.length;
}
