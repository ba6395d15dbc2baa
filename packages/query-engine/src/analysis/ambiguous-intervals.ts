import { PlanIndex, childrenOfPlan, type Plan } from '@svc/query-language';

import { isInterval } from './holds-primitive.ts';
import { freeVariables } from './variables.ts';

const QUERIES: ReadonlySet<Plan['kind']> = new Set([
  'Select',
  'SetOperation',
  'Read',
  'TableScan',
  'Aggregate',
  'WindowCall',
  'Reduce',
  'Let',
]);
const DAY = 86_400_000_000n;

/**
 * Finds the constant intervals that the engine would replace by another one of the plan: it computes equal expressions once, and
 * intervals of one length are equal to it, though 30 days later is not a month later. The first of each length stands for
 * itself; one that is computed may have any length.
 */
export function findAmbiguousIntervals(plan: Plan): (part: Plan) => boolean {
  const first = new Map<bigint, string>();
  const others = new Set<string>();
  const computed = new PlanIndex<true>();
  let count = 0;
  const visit = (part: Plan): void => {
    if (!isInterval(part) || !isConstant(part)) {
      childrenOfPlan(part).forEach(visit);
    } else if (part.kind !== 'Constant') {
      if (computed.find(part) === undefined) count += 1;
      computed.add(part, true);
    } else if (typeof part.value === 'string') {
      const length = lengthOf(part.value);
      const known = first.get(length);
      if (known === undefined) first.set(length, part.value);
      else if (known !== part.value) others.add(part.value);
    }
  };
  visit(plan);
  const isMixed = count > 1 || (count === 1 && first.size > 0);
  return (part) => isInterval(part) && (part.kind === 'Constant' ? others.has(String(part.value)) : isMixed && isConstant(part));
}

/** Returns whether the engine can compute a part before it has rows. */
function isConstant(part: Plan): boolean {
  return !QUERIES.has(part.kind) && freeVariables(part).size === 0 && childrenOfPlan(part).every(isConstant);
}

/** The microseconds of an interval with months of 30 days. */
function lengthOf(text: string): bigint {
  const [months = '', days = '', micros = ''] = text.split(' ');
  return (BigInt(months) * 30n + BigInt(days)) * DAY + BigInt(micros);
}
