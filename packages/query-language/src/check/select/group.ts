import { aggregate } from '../../plan/build-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Span } from '../../text/span.ts';
import { collectionOf } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { COLLECT } from '../../plan/collect.ts';
import { placeOf } from '../check-context.ts';
import { isFaulty } from '../operand.ts';

/** Returns the group as a collection of `row` over its rows, in source order. */
export function groupOf(context: CheckContext, row: Plan, span: Span): Plan {
  if (isFaulty(row)) return row;
  return aggregate(COLLECT, collectionOf(row.type), [row], placeOf(context, span));
}
