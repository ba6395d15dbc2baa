import type { Plan, Select } from '@svc/query-language';

import type { LoweringContext, Relation, Scope } from './lowering-context.ts';
import { freshName } from './lowering-context.ts';
import { holdsSubquery } from './lower-value.ts';
import { lowerRelation, rowValue } from './lower-relation.ts';
import { lowerSelect } from './select/lower-select.ts';
import { NoListForm, listSelect } from './select/list-select.ts';
import { usedVariables } from './variables.ts';

/**
 * The value of a collection (or of an aggregate query) that is computed from rows. What depends on the row around it is
 * said in list functions where they can say it; else it is a sub-query, which the engine decorrelates.
 */
export function collectionValue(context: LoweringContext, plan: Plan, scope: Scope): string {
  if (dependsOnRow(plan, scope)) {
    const list = asListFunctions(context, plan, scope);
    if (list !== null) return list;
  }
  if (plan.kind === 'Select' && plan.isSingle) return singleValue(context, plan, scope);
  const relation = lowerRelation(context, plan, scope, { keepsOrder: true });
  if (plan.type.kind !== 'CollectionType') return onlyRow(context, relation);
  const [inner, outer] = [freshName(context, 'l'), freshName(context, 'l')];
  const value = rowValue(relation.layout, inner);
  return `(SELECT coalesce(list(${outer}.v ORDER BY ${outer}.n), []) FROM (SELECT ${value} AS v, row_number() OVER () AS n FROM (${relation.sql}) AS ${inner}) AS ${outer})`;
}

/** The value of a source that is one document. */
function onlyRow(context: LoweringContext, relation: Relation): string {
  const alias = freshName(context, 'l');
  return `(SELECT ${rowValue(relation.layout, alias)} FROM (${relation.sql}) AS ${alias})`;
}

/** The one value of an aggregate query. */
function singleValue(context: LoweringContext, plan: Select, scope: Scope): string {
  return onlyRow(context, lowerSelect(context, plan, scope, { keepsOrder: false }));
}

function dependsOnRow(plan: Plan, scope: Scope): boolean {
  return [...usedVariables(plan)].some((id) => {
    const binding = scope.get(id);
    return binding !== undefined && binding.kind !== 'relation' && !(binding.kind === 'sql' && holdsSubquery(binding.sql));
  });
}

/** List functions over a nested collection; null where they cannot say it. */
function asListFunctions(context: LoweringContext, plan: Plan, scope: Scope): string | null {
  try {
    return listSelect(context, plan, scope);
  } catch (thrown) {
    if (thrown instanceof NoListForm) return null;
    throw thrown;
  }
}
