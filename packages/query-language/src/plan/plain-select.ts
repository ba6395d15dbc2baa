import { collectionOf } from '../types/types.ts';
import type { Plan, PlanSource, Select, VariableId } from './plan.ts';

/** Builds a Select of `item` for each element of a collection, in its order, without other clauses. Callers add those. */
export function plainSelect(
  collection: Plan,
  { row, item, itemVariable, span }: { readonly row: VariableId } & Pick<Select, 'item' | 'itemVariable' | 'span'>,
): Select {
  return {
    kind: 'Select',
    type: collectionOf(item.type),
    span,
    sources: [elementSource(collection, row)],
    where: null,
    grouping: null,
    having: null,
    item,
    isSingle: false,
    isDistinct: false,
    itemVariable,
    orderBy: [],
    limit: null,
    offset: null,
    order: 'source',
  };
}

/** Builds the source of a Select over the elements of a collection, bound to `row`. */
export function elementSource(collection: Plan, row: VariableId): PlanSource {
  if (collection.type.kind !== 'CollectionType') throw new Error('a collection was expected');
  return { row, rowType: collection.type.element, position: null, collection, join: 'cross', on: null, isOptional: false };
}
