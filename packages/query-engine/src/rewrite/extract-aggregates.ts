import type { Aggregate, Plan, Select, VariableId } from '@svc/query-language';
import { PlanIndex, mapChildren } from '@svc/query-language';

import { mapOutside } from './map-outside.ts';

/** Returns a Select's aggregates, each once, with a variable each, and a function that replaces them by their variables. */
export function extractAggregates(
  plan: Select,
  newVariable: () => VariableId,
): { readonly aggregates: readonly { readonly aggregate: Aggregate; readonly id: VariableId }[]; readonly replace: (part: Plan) => Plan } {
  const aggregates: { readonly aggregate: Aggregate; readonly id: VariableId }[] = [];
  const known = new PlanIndex<VariableId>();
  const replace = (part: Plan): Plan =>
    replaceAggregates(part, (aggregate) => {
      let id = known.find(aggregate);
      if (id === undefined) {
        id = newVariable();
        known.add(aggregate, id);
        aggregates.push({ aggregate, id });
      }
      return { kind: 'Variable', type: aggregate.type, span: aggregate.span, id };
    });
  partsOverGroups(plan).forEach(replace);
  return { aggregates, replace };
}

/** Returns the distinct aggregates over a Select's own rows. */
export function aggregatesOf(plan: Select): readonly Aggregate[] {
  return extractAggregates(plan, () => plan.itemVariable).aggregates.map(({ aggregate }) => aggregate);
}

function partsOverGroups({ item, having, orderBy }: Select): readonly Plan[] {
  return [item, ...(having === null ? [] : [having]), ...orderBy.map((key) => key.value)];
}

/** Replaces a Select's own aggregates. Those in the items of a nested grouped Select are its own. */
function replaceAggregates(plan: Plan, by: (aggregate: Aggregate) => Plan): Plan {
  if (plan.kind === 'Aggregate') return by(plan);
  const replace = (part: Plan): Plan => replaceAggregates(part, by);
  return plan.kind === 'Select' && plan.grouping !== null ? mapOutside(plan, replace) : mapChildren(plan, replace);
}
