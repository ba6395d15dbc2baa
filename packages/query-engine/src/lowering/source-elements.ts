import type { PlanSource, VariableId } from '@svc/query-language';

import type { LoweringContext } from './lowering-context.ts';
import { freshName } from './lowering-context.ts';

/** Returns the list of a source, with the position of each element if the source has AT. */
export function placed(context: LoweringContext, { position }: PlanSource, list: string): string {
  if (position === null) return list;
  const [one, index] = [freshName(context, 'x'), freshName(context, 'i')];
  return `list_transform(${list}, lambda ${one}, ${index}: struct_pack(p := ${one}, i := ${index} - 1))`;
}

/** Binds row and position of a source to an element of its `placed` list. */
export function partsOfElement({ row, position }: PlanSource, element: string): readonly (readonly [VariableId, string])[] {
  if (position === null) return [[row, element]];
  return [
    [row, `struct_extract(${element}, 'p')`],
    [position, `struct_extract(${element}, 'i')`],
  ];
}
