import { nullIfAnyNull } from '../plan/build-plan.ts';
import { elementSource, plainSelect } from '../plan/plain-select.ts';
import type { Plan } from '../plan/plan.ts';
import type { Span } from '../text/span.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, isFaulty } from './operand.ts';
import { freshVariable } from './check-context.ts';
import { letIn } from './bind.ts';
import { mayBeNull } from './convert.ts';

/** Parts of a simple Select over one collection, in its order. */
export interface SimpleSelect {
  readonly where?: Plan;
  readonly item: Plan;
}

/** Maps a collection with `makeItem`; a NULL collection yields NULL. */
export function mapCollection(context: CheckContext, collection: Plan, span: Span, makeItem: (element: Plan) => Plan): Plan {
  return selectFrom(context, collection, span, (element) => ({ item: makeItem(element) }));
}

/** Builds a Select over one collection; a NULL collection yields NULL. */
export function selectFrom(context: CheckContext, collection: Plan, span: Span, make: (element: Plan) => SimpleSelect): Plan {
  return keepingNull(context, collection, span, (use) => simpleSelect(context, use, span, make));
}

/** Builds a plan over a collection that is not NULL; the result is NULL if the collection is. */
export function keepingNull(context: CheckContext, collection: Plan, span: Span, make: (use: Plan) => Plan): Plan {
  if (!mayBeNull(collection)) return make(collection);
  return letIn(context, collection, (use) => nullIfAnyNull([use], make(use), span));
}

function simpleSelect(context: CheckContext, collection: Plan, span: Span, make: (element: Plan) => SimpleSelect): Plan {
  const row = freshVariable(context);
  const rowType = elementSource(collection, row).rowType;
  const parts = make({ kind: 'Variable', type: rowType, span, id: row });
  if (isFaulty(parts.item) || (parts.where !== undefined && isFaulty(parts.where))) return errorPlan(span);
  const itemVariable = freshVariable(context);
  return { ...plainSelect(collection, { row, item: parts.item, itemVariable, span }), where: parts.where ?? null };
}
