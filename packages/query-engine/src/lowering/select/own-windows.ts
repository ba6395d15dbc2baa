import type { Plan, Select, SortKey, VariableId, WindowCall } from '@svc/query-language';
import { isSamePlan, mapChildren } from '@svc/query-language';

import { newVariable } from '../functions-over-relations.ts';
import type { LoweringContext } from '../lowering-context.ts';

/** A SELECT's window calls, each once, with item and sort keys in which a variable stands for each. */
export interface OwnWindows {
  readonly calls: readonly { readonly call: WindowCall; readonly id: VariableId }[];
  readonly item: Plan;
  readonly orderBy: readonly SortKey[];
}

/** Puts variables in place of a SELECT's window calls. */
export function ownWindows(context: LoweringContext, plan: Select): OwnWindows {
  const calls: { readonly call: WindowCall; readonly id: VariableId }[] = [];
  const replace = (part: Plan): Plan => {
    if (part.kind !== 'WindowCall') return part.kind === 'Select' ? part : mapChildren(part, replace);
    let known = calls.find((other) => isSamePlan(other.call, part));
    if (known === undefined) {
      known = { call: part, id: newVariable(context) };
      calls.push(known);
    }
    return { kind: 'Variable', type: part.type, span: part.span, id: known.id };
  };
  const item = replace(plan.item);
  const orderBy = plan.orderBy.map((key): SortKey => ({ ...key, value: replace(key.value) }));
  return { calls, item, orderBy };
}
