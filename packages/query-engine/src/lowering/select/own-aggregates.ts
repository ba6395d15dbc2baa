import type { Aggregate, Plan, Select, VariableId } from '@svc/query-language';
import { isSamePlan, mapChildren } from '@svc/query-language';

import { newVariable } from '../functions-over-relations.ts';
import type { LoweringContext } from '../lowering-context.ts';

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

/** Puts variables in place of a Select's own aggregates: those in the items of an inner Select are its own. */
export function replaceAggregates(plan: Plan, idOf: (aggregate: Aggregate) => VariableId | undefined): Plan {
  if (plan.kind === 'Aggregate') {
    const id = idOf(plan);
    return id === undefined ? plan : { kind: 'Variable', type: plan.type, span: plan.span, id };
  }
  if (plan.kind !== 'Select') return mapChildren(plan, (child) => replaceAggregates(child, idOf));
  const bound = (limit: Plan | null): Plan | null => (limit === null ? null : replaceAggregates(limit, idOf));
  return {
    ...plan,
    limit: bound(plan.limit),
    offset: bound(plan.offset),
    sources: plan.sources.map((source) => ({ ...source, collection: replaceAggregates(source.collection, idOf) })),
  };
}
