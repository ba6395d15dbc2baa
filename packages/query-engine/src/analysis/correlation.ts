import type { Plan, VariableId } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { isGuardable, needsSubquery } from './relational-analysis.ts';
import type { ScopeBinding, ScopeVariables } from './scope-bindings.ts';
import { freeVariables } from './variables.ts';

/** Returns whether a plan is correlated: it depends on rows, or parts of a row, that the scope binds. */
export function dependsOnRow(plan: Plan, scope: { readonly variables: ScopeVariables }): boolean {
  return [...freeVariables(plan)].some((id) => {
    const binding = scope.variables.get(id);
    if (binding === undefined) return false;
    return binding.kind === 'plan' ? dependsOnRow(binding.plan, binding) : isOfRow(binding);
  });
}

/** Returns whether the scope is within a row. */
export function isWithinRow({ variables }: { readonly variables: ScopeVariables }): boolean {
  return [...variables.values()].some(isOfRow);
}

function isOfRow({ kind }: ScopeBinding<ScopeVariables>): boolean {
  return kind === 'column' || kind === 'row';
}

/** Returns whether a plan uses variables bound by enclosing lambdas. */
export function dependsOnLambda(
  plan: Plan,
  { variables, lambda }: { readonly variables: ScopeVariables; readonly lambda: ReadonlySet<VariableId> | null },
): boolean {
  if (lambda === null) return false;
  return [...freeVariables(plan)].some((id) => {
    const binding = variables.get(id);
    return lambda.has(id) || (binding?.kind === 'plan' && dependsOnLambda(binding.plan, { variables: binding.variables, lambda }));
  });
}

/** Expressions evaluated on rows. */
export interface RowParts {
  readonly plain: readonly Plan[];
  /** Expressions within lambdas as a whole. */
  readonly inLambdas: readonly Plan[];
}

/** Variables of enclosing rows, with the indexes of the fields that are used, or all. */
export type CapturedVariables = ReadonlyMap<VariableId, ReadonlySet<number> | 'all'>;

/** Returns the variables of enclosing rows that expressions use within lambdas; `bindsByLambda`: a part may have one around its operands. */
export function capturedVariables(parts: RowParts, variables: ScopeVariables, bindsByLambda: (part: Plan) => boolean): CapturedVariables {
  const found = new Map<VariableId, ReadonlySet<number> | 'all'>();
  const use = (id: VariableId, field: number | null, at: ScopeVariables, isCaptured: boolean): void => {
    const binding = at.get(id);
    if (binding?.kind === 'plan') visit(binding.plan, binding.variables, isCaptured);
    if (!isCaptured || (binding?.kind !== 'column' && binding?.kind !== 'row')) return;
    const known = found.get(id);
    if (field === null) found.set(id, 'all');
    else if (known !== 'all') found.set(id, new Set([...(known ?? []), field]));
  };
  const visit = (part: Plan, at: ScopeVariables, isCaptured: boolean): void => {
    if (part.kind === 'Variable') use(part.id, null, at, isCaptured);
    else if (part.kind === 'Field' && part.target.kind === 'Variable') use(part.target.id, part.index, at, isCaptured);
    else if (!isCaptured && part.kind === 'Select' && needsSubquery(part, at) && !isGuardable(part, { variables: at })) {
      // A nested subquery handles its own columns, except for its bounds, which slice the list of its rows.
      for (const bound of [part.limit, part.offset]) if (bound !== null) visit(bound, at, true);
    } else {
      const isInside = isCaptured || bindsByLambda(part);
      mapChildren(part, (child) => {
        visit(child, at, isInside);
        return child;
      });
    }
  };
  for (const part of parts.plain) visit(part, variables, false);
  for (const part of parts.inLambdas) visit(part, variables, true);
  return found;
}
