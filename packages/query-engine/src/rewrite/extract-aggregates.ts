import type { Aggregate, Plan, Select, VariableId } from '@svc/query-language';
import { PlanIndex, mapChildren } from '@svc/query-language';

import { mapOutside } from './map-outside.ts';

/** The aggregates over a Select's own rows, each once. */
export function aggregatesOf(plan: Select): readonly Aggregate[] {
  const found: Aggregate[] = [];
  const known = new PlanIndex<true>();
  const collect = (part: Plan): Plan =>
    replaceAggregates(part, (aggregate) => {
      if (known.find(aggregate) === undefined) {
        known.add(aggregate, true);
        found.push(aggregate);
      }
      return aggregate;
    });
  for (const part of [plan.item, ...(plan.having === null ? [] : [plan.having]), ...plan.orderBy.map((key) => key.value)]) collect(part);
  return found;
}

/** Returns a Select's aggregates with a variable each, and a function that replaces them by their variables. */
export function extractAggregates(
  plan: Select,
  newVariable: () => VariableId,
): { readonly aggregates: readonly { readonly aggregate: Aggregate; readonly id: VariableId }[]; readonly replace: (part: Plan) => Plan } {
  const aggregates = aggregatesOf(plan).map((aggregate) => ({ aggregate, id: newVariable() }));
  const known = new PlanIndex<VariableId>();
  for (const { aggregate, id } of aggregates) known.add(aggregate, id);
  const variableOf = (aggregate: Aggregate): Plan => {
    const id = known.find(aggregate);
    if (id === undefined) throw new Error('an aggregate is among those of its Select');
    return { kind: 'Variable', type: aggregate.type, span: aggregate.span, id };
  };
  return { aggregates, replace: (part) => replaceAggregates(part, variableOf) };
}

/** Replaces a Select's own aggregates. Those in the items of a nested grouped Select are its own. */
function replaceAggregates(plan: Plan, by: (aggregate: Aggregate) => Plan): Plan {
  if (plan.kind === 'Aggregate') return by(plan);
  const replace = (part: Plan): Plan => replaceAggregates(part, by);
  return plan.kind === 'Select' && plan.grouping !== null ? mapOutside(plan, replace) : mapChildren(plan, replace);
}
