import type { Aggregate, Plan, Select, VariableId } from '@svc/query-language';
import { isSamePlan, mapChildren } from '@svc/query-language';

import { newVariable } from '../functions-over-relations.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { boundBy, usesAny } from '../variables.ts';

/** The aggregates over a Select's own rows, each once. */
export function ownAggregates(plan: Select): readonly Aggregate[] {
  const found: Aggregate[] = [];
  const collect = (part: Plan): Plan =>
    replaceAggregates(part, (aggregate) => {
      if (!found.some((other) => isSameAggregate(other, aggregate))) found.push(aggregate);
      return undefined;
    });
  for (const part of [plan.item, ...(plan.having === null ? [] : [plan.having]), ...plan.orderBy.map((key) => key.value)]) collect(part);
  return found;
}

/** A Select's aggregates with a variable for each, and a way to put those in their place. */
export function withVariables(
  context: LoweringContext,
  plan: Select,
): { readonly aggregates: readonly { readonly aggregate: Aggregate; readonly id: VariableId }[]; readonly replace: (part: Plan) => Plan } {
  const aggregates = ownAggregates(plan).map((aggregate) => ({ aggregate, id: newVariable(context) }));
  return {
    aggregates,
    replace: (part) => replaceAggregates(part, (aggregate) => aggregates.find((other) => isSameAggregate(other.aggregate, aggregate))?.id),
  };
}

function isSameAggregate(a: Aggregate, b: Aggregate): boolean {
  return a === b || isSamePlan(a, b);
}

/**
 * Puts variables in place of a Select's own aggregates. Those in the items of a grouped Select below are its own; one that uses
 * what is bound between here and there, which `within` tells, has no one value.
 */
export function replaceAggregates(
  plan: Plan,
  idOf: (aggregate: Aggregate) => VariableId | undefined,
  within: ReadonlySet<VariableId> = new Set(),
): Plan {
  if (plan.kind === 'Aggregate') {
    const id = usesAny(plan, within) ? undefined : idOf(plan);
    return id === undefined ? plan : { kind: 'Variable', type: plan.type, span: plan.span, id };
  }
  const below = new Set([...within, ...boundBy(plan)]);
  const replace = (part: Plan): Plan => replaceAggregates(part, idOf, below);
  if (plan.kind !== 'Select' || plan.grouping === null) return mapChildren(plan, replace);
  return {
    ...plan,
    limit: plan.limit === null ? null : replace(plan.limit),
    offset: plan.offset === null ? null : replace(plan.offset),
    sources: plan.sources.map((source) => ({ ...source, collection: replace(source.collection) })),
  };
}
