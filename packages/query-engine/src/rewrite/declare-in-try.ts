import type { Let, Plan, VariableId } from '@svc/query-language';
import { isFallible, mapChildren } from '@svc/query-language';

import { bindingOfValue, isGuardable } from '../analysis/relational-analysis.ts';
import type { ScopeVariables } from '../analysis/scope-bindings.ts';
import { freeVariables, usesAny } from '../analysis/variables.ts';
import { freshVariables } from './fresh-variables.ts';
import { substitute } from './substitute.ts';

/**
 * Declares fallible values again in each TRY that uses them, so that the TRY catches the failure. Values that TRY cannot
 * contain, such as that of a query over a table, are evaluated before.
 */
export function declareInTry(plan: Plan): Plan {
  const newVariable = freshVariables(plan);
  const inTries = (part: Plan, declared: Let): Plan => {
    if (!freeVariables(part).has(declared.id)) return part;
    if (part.kind !== 'Try') return mapChildren(part, (child) => inTries(child, declared));
    const { operand } = part;
    const id = newVariable();
    const body = substitute(operand, declared.id, { kind: 'Variable', type: declared.value.type, span: declared.value.span, id });
    return { ...part, operand: { ...declared, type: operand.type, id, body } };
  };
  const rewrite = (part: Plan, variables: ScopeVariables, failing: ReadonlySet<VariableId>): Plan => {
    if (part.kind !== 'Let') return mapChildren(part, (child) => rewrite(child, variables, failing));
    const value = rewrite(part.value, variables, failing);
    const isDeclared = (isFallible(value) || usesAny(value, failing)) && isGuardable(value, { variables });
    const inside = new Map([...variables, [part.id, bindingOfValue(value, variables)] as const]);
    const body = rewrite(part.body, inside, isDeclared ? new Set([...failing, part.id]) : failing);
    const declared: Let = { ...part, value, body };
    return isDeclared ? { ...declared, body: inTries(body, declared) } : declared;
  };
  return rewrite(plan, new Map(), new Set());
}
