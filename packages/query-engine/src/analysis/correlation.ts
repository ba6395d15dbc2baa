import type { Plan, VariableId } from '@svc/query-language';
import { childrenOfPlan, isFallible } from '@svc/query-language';

import { holdsSubquery, isGuardable, needsSubquery } from './relational-analysis.ts';
import type { ScopeBinding, ScopeVariables } from './scope-bindings.ts';
import { freeVariables, somePart, usesAny } from './variables.ts';

/** Returns whether a plan is correlated: it depends on rows, or parts of a row, that the scope binds. */
export function dependsOnRow(plan: Plan, scope: { readonly variables: ScopeVariables }): boolean {
  return [...freeVariables(plan)].some((id) => {
    const binding = scope.variables.get(id);
    return binding !== undefined && isOfRow(binding);
  });
}

/** Returns the variables of the rows around. */
export function rowVariables({ variables }: { readonly variables: ScopeVariables }): ReadonlySet<VariableId> {
  return new Set([...variables].flatMap(([id, binding]) => (isOfRow(binding) ? [id] : [])));
}

/** Returns whether the scope is within a row. */
export function isWithinRow({ variables }: { readonly variables: ScopeVariables }): boolean {
  return [...variables.values()].some(isOfRow);
}

function isOfRow({ kind }: ScopeBinding): boolean {
  return kind === 'column' || kind === 'row';
}

/** Returns whether a plan uses variables bound by enclosing lambdas. */
export function dependsOnLambda(plan: Plan, { lambda }: { readonly lambda: ReadonlySet<VariableId> | null }): boolean {
  return lambda !== null && usesAny(plan, lambda);
}

/** Returns whether the SQL of a plan may contain a subquery, including one that reads a declared value: declarations of rows are columns. */
export function readsSubquery(plan: Plan, scope: { readonly variables: ScopeVariables }): boolean {
  return holdsSubquery(plan, scope) || somePart(plan, (part) => part.kind === 'Let' && !dependsOnRow(part.value, scope));
}

/** Returns whether a plan is fallible and constant in its scope: the engine folds it at planning, where it may fail without being needed. */
export function isFallibleConstant(plan: Plan, scope: { readonly variables: ScopeVariables }): boolean {
  return isFallible(plan) && !dependsOnRow(plan, scope) && !holdsSubquery(plan, scope);
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
  const use = (id: VariableId, field: number | null, isCaptured: boolean): void => {
    const binding = variables.get(id);
    if (!isCaptured || binding === undefined || !isOfRow(binding)) return;
    const known = found.get(id);
    if (field === null) found.set(id, 'all');
    else if (known !== 'all') found.set(id, new Set([...(known ?? []), field]));
  };
  const visit = (part: Plan, isCaptured: boolean): void => {
    if (part.kind === 'Variable') use(part.id, null, isCaptured);
    else if (part.kind === 'Field' && part.target.kind === 'Variable') use(part.target.id, part.index, isCaptured);
    else if (!isCaptured && part.kind === 'Select' && needsSubquery(part, variables) && !isGuardable(part, { variables })) {
      // A nested subquery handles its own columns, except for its bounds, which slice the list of its rows.
      for (const bound of [part.limit, part.offset]) if (bound !== null) visit(bound, true);
    } else {
      const isInside = isCaptured || bindsByLambda(part);
      for (const child of childrenOfPlan(part)) visit(child, isInside);
    }
  };
  for (const part of parts.plain) visit(part, false);
  for (const part of parts.inLambdas) visit(part, true);
  return found;
}
