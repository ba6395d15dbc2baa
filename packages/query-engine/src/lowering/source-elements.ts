import type { PlanSource, VariableId } from '@svc/query-language';

import { SQL, type Sql } from '../sql/sql.ts';
import type { LoweringContext } from './lowering-context.ts';
import { freshColumn } from './lowering-context.ts';

/** Returns the list of a source, with the position of each element if the source has AT. */
export function placed(context: LoweringContext, { position }: PlanSource, list: Sql): Sql {
  if (position === null) return list;
  const [one, index] = [freshColumn(context, 'x'), freshColumn(context, 'i')];
  return SQL`list_transform(${list}, lambda ${one}, ${index}: struct_pack(p := ${one}, i := ${index} - 1))`;
}

/** Binds row and position of a source to an element of its `placed` list. */
export function partsOfElement({ row, position }: PlanSource, element: Sql): readonly (readonly [VariableId, Sql])[] {
  if (position === null) return [[row, element]];
  return [
    [row, SQL`struct_extract(${element}, 'p')`],
    [position, SQL`struct_extract(${element}, 'i')`],
  ];
}
