import type { Plan, PlanSource, Select, VariableId } from '@svc/query-language';
import { boundBy, boundBySource, isFallible, mapChildren } from '@svc/query-language';

import { allOf, conjuncts } from '../analysis/conjuncts.ts';
import { isJoinKey } from '../analysis/join-key.ts';
import { somePart, usesAny } from '../analysis/variables.ts';

/**
 * Puts sources that an equality connects beside one another: of `FROM a, b, c WHERE a.id = c.a AND b.id = c.b` the engine would make all
 * pairs of a and b, since it joins sources as they are written. One that nothing connects to those before it waits until something does.
 */
export function connectSources(plan: Plan): Plan {
  return somePart(plan, (part) => part.kind === 'Select' && part.sources.length >= FEWEST) ? rewrite(plan, new Set()) : plan;
}

/** Of two sources, the order makes no difference. */
const FEWEST = 3;

/** `around`: the variables of the rows around. */
function rewrite(plan: Plan, around: ReadonlySet<VariableId>): Plan {
  if (plan.kind !== 'Select') return mapChildren(plan, (child) => rewrite(child, around));
  const inside = new Set([...around, ...boundBy(plan)]);
  return mapChildren(usesAny(plan, around) ? plan : connected(plan), (child) => rewrite(child, inside));
}

/** The order of rows of a join that holds a dependent source, or that can fail, is not changed. */
function connected(plan: Select): Select {
  const { sources, where } = plan;
  const all = new Set(sources.flatMap(boundBySource));
  const isInner = ({ join, collection }: PlanSource): boolean => (join === 'cross' || join === 'inner') && !usesAny(collection, all);
  if (sources.length < FEWEST || plan.order === 'source' || !sources.every(isInner)) return plan;
  const conditions = sources.flatMap(({ on }) => (on === null ? [] : conjuncts(on)));
  if (conditions.some(isFallible)) return plan;
  if (where !== null) conditions.push(...conjuncts(where));
  const ordered = inOrder(sources, conditions, all);
  if (ordered.every((source, i) => source === sources[i])) return plan;
  return {
    ...plan,
    sources: ordered.map((source): PlanSource => ({ ...source, join: 'cross', on: null })),
    where: allOf(conditions, plan.span),
  };
}

/** The next source is the first one that an equality connects to those before it, else the first one that is left. */
function inOrder(sources: readonly PlanSource[], conditions: readonly Plan[], all: ReadonlySet<VariableId>): readonly PlanSource[] {
  const ordered: PlanSource[] = [];
  const unbound = new Set(all);
  let left = sources;
  for (let next = left[0]; next !== undefined; next = left.find(isConnected) ?? left[0]) {
    const taken = next;
    ordered.push(taken);
    for (const id of boundBySource(taken)) unbound.delete(id);
    left = left.filter((source) => source !== taken);
  }
  return ordered;

  function isConnected(source: PlanSource): boolean {
    const right = new Set(boundBySource(source));
    const sides = { left: new Set(ordered.flatMap(boundBySource)), right };
    const others = new Set([...unbound].filter((id) => !right.has(id)));
    return conditions.some((part) => isJoinKey(part, sides) && part.operator === '=' && !usesAny(part, others));
  }
}
