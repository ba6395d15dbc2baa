import { isNull, not } from '../../plan/build-plan.ts';
import type { Plan, Select } from '../../plan/plan.ts';
import { collectionOf, nullable, recordOf } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { selectFrom } from '../map-collection.ts';
import { fieldOf } from '../record-fields.ts';

/** The collection of one value. */
export function onlyElement(plan: Plan): Plan {
  return { kind: 'CollectionLiteral', type: collectionOf(plan.type), span: plan.span, elements: [plan] };
}

/** Converts an aggregate query to its single row as a source; to no row if HAVING fails, detected by wrapping the item in a record. */
export function rowOfAggregateQuery(context: CheckContext, query: Select): Plan {
  if (query.having === null) return onlyElement(query);
  const { item, span } = query;
  const type = recordOf([{ name: '_1', type: item.type }]);
  const wrapped: Plan = { ...query, type: nullable(type), item: { kind: 'RecordLiteral', type, span, values: [item] } };
  return selectFrom(context, onlyElement(wrapped), span, (row) => {
    const present = { ...row, type } as Plan; // the row, where it is one
    return { where: not(isNull(row, span)), item: fieldOf(present, 0, span) };
  });
}
