import type { Plan, Select, SortKey, VariableId, WindowCall } from '@svc/query-language';
import { PlanIndex, boundBy, mapChildren } from '@svc/query-language';

import { usesAny } from '../analysis/variables.ts';
import { mapOutside } from './map-outside.ts';

/** The distinct window calls of a SELECT, with item and sort keys that refer to them by variable. */
export interface ExtractedWindows {
  readonly calls: readonly { readonly call: WindowCall; readonly id: VariableId }[];
  readonly item: Plan;
  readonly orderBy: readonly SortKey[];
}

/** Replaces a SELECT's window calls by variables. One that uses a variable bound by a nested SELECT has no single value, and stays. */
export function extractWindows(plan: Select, newVariable: () => VariableId): ExtractedWindows {
  const calls: { readonly call: WindowCall; readonly id: VariableId }[] = [];
  const known = new PlanIndex<VariableId>();
  const replace = (part: Plan, within: ReadonlySet<VariableId> = new Set()): Plan => {
    if (part.kind === 'Select') return mapOutside(part, (child) => replace(child, new Set([...within, ...boundBy(part)])));
    if (part.kind !== 'WindowCall') return mapChildren(part, (child) => replace(child, within));
    if (usesAny(part, within)) return part;
    let id = known.find(part);
    if (id === undefined) {
      id = newVariable();
      known.add(part, id);
      calls.push({ call: part, id });
    }
    return { kind: 'Variable', type: part.type, span: part.span, id };
  };
  const item = replace(plan.item);
  const orderBy = plan.orderBy.map((key): SortKey => ({ ...key, value: replace(key.value) }));
  return { calls, item, orderBy };
}
