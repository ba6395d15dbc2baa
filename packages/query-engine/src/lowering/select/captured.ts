import type { Plan, VariableId } from '@svc/query-language';
import { mapChildren, PlanIndex } from '@svc/query-language';

import { fieldOf, recordOf } from './attempts.ts';

/** What some values use of a row, as a record, and the values again, made of such a record of another row. */
export interface Captured {
  readonly record: Plan;
  readonly of: (record: Plan) => readonly Plan[];
}

/** `rowVariables` are those that are bound to the rows. Only the fields that are used are taken, not whole records for their sake. */
export function captured(values: readonly Plan[], rowVariables: ReadonlySet<VariableId>, span: Plan['span']): Captured {
  const taken: Plan[] = [];
  const places = new PlanIndex<number>();
  const replace = (part: Plan, by: (place: number) => Plan): Plan => {
    if (!isOfRow(part, rowVariables)) return mapChildren(part, (child) => replace(child, by));
    let place = places.find(part);
    if (place === undefined) {
      place = taken.push(part) - 1;
      places.add(part, place);
    }
    return by(place);
  };
  for (const value of values) replace(value, (place) => taken[place] ?? value);
  return {
    record: recordOf(taken, span),
    of: (record) => values.map((value) => replace(value, (place) => fieldOf(record, place, taken[place]?.type ?? value.type))),
  };
}

/** A row's variable, or a field of one. */
function isOfRow(plan: Plan, rowVariables: ReadonlySet<VariableId>): boolean {
  if (plan.kind === 'Field') return isOfRow(plan.target, rowVariables);
  return plan.kind === 'Variable' && rowVariables.has(plan.id);
}
