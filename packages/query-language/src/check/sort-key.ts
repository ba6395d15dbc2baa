import type { Plan, SortKey } from '../plan/plan.ts';
import type { OrderItem } from '../syntax/ast.ts';
import { isComparable, printType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';

/** Builds a sort key from a checked value. Reports a value that cannot be ordered. */
export function makeSortKey(context: CheckContext, { value: written, isDescending, nulls }: OrderItem, value: Plan): SortKey {
  if (!isComparable(value.type)) report(context, 'not-orderable', written.span, printType(value.type));
  return { value, isDescending, areNullsFirst: nulls === null ? !isDescending : nulls === 'first' };
}
