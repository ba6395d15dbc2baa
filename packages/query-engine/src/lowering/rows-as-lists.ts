import type { Plan } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { valueBesideRow } from './collection-value.ts';
import { newVariable } from './functions-over-relations.ts';
import type { LoweringContext } from './lowering-context.ts';
import { isPartOfSelect, isRelational, isRows } from './plan-form.ts';
import type { Binding, Scope } from './scope.ts';
import { bindAll, dependsOnLambda } from './scope.ts';
import { freeVariables } from './variables.ts';

/**
 * The plan over lists of the rows that it reads, each list made once beside the row: what stands where the engine takes no
 * sub-query, in a lambda, is then lowered to list functions.
 */
export function withRowsAsLists(context: LoweringContext, plan: Plan, scope: Scope): { readonly plan: Plan; readonly scope: Scope } {
  const lists: (readonly [number, Binding])[] = [];
  const replace = (part: Plan): Plan => {
    if (part === plan || !isOwnRelation(part, scope)) return mapChildren(part, replace);
    const id = newVariable(context);
    lists.push([id, { kind: 'sql', sql: valueBesideRow(context, part, scope) }]);
    return { kind: 'Variable', type: part.type, span: part.span, id };
  };
  const replaced = replace(plan);
  return { plan: replaced, scope: bindAll(scope, lists) };
}

/** Whether rows do not depend on what is made inside of the plan or bound by lambdas around it. */
function isOwnRelation(part: Plan, scope: Scope): boolean {
  return (
    isRows(part.type) &&
    isRelational(part, scope.variables) &&
    !isPartOfSelect(part) &&
    [...freeVariables(part)].every((id) => scope.variables.has(id)) &&
    !dependsOnLambda(part, scope)
  );
}
