import type { Let, Plan, VariableId } from '@svc/query-language';
import { boundBy, canFailItself, childrenOfPlan, isFallible, mapChildren } from '@svc/query-language';

import { dependsOnRow } from '../analysis/correlation.ts';
import { bindingOfValue, holdsAggregates, holdsQueries, isGuardable } from '../analysis/relational-analysis.ts';
import type { ScopeBinding, ScopeVariables } from '../analysis/scope-bindings.ts';
import { freeVariables, somePart, usesOf } from '../analysis/variables.ts';

/**
 * Substitutes declared values at their uses where that costs no more than reading them: a value that is used once, that is
 * as cheap to repeat, or that can fail and is used in branches only, so that it is evaluated only where one is taken. The
 * declarations that stay are computed once. Unused ones are removed.
 */
export function inlineDeclarations(plan: Plan): Plan {
  if (!somePart(plan, ({ kind }) => kind === 'Let')) return plan;
  const inlined = new Map<VariableId, Plan>();
  const repeated = new Set<VariableId>();
  const rewrite = (part: Plan, variables: ScopeVariables): Plan => {
    if (part.kind === 'Variable') return inlined.get(part.id) ?? part;
    if (part.kind === 'Let') return rewriteLet(part, variables);
    const below = new Map<VariableId, ScopeBinding>([...variables, ...boundBy(part).map((id) => [id, { kind: 'row' }] as const)]);
    const rewritten = mapChildren(part, (child) => rewrite(child, below));
    return part.kind === 'Field' && part.target.kind === 'Variable' ? memberOf(rewritten) : rewritten;
  };
  const rewriteLet = (part: Let, variables: ScopeVariables): Plan => {
    const { id, body } = part;
    const uses = usesOf(body, id);
    if (uses.count === 0) return rewrite(body, variables);
    const value = rewrite(part.value, variables);
    // Values that each repeat another one would grow exponentially.
    const repeats = somePart(part.value, (inner) => inner.kind === 'Variable' && repeated.has(inner.id));
    const isOnce = uses.count === 1 && !uses.isRepeated && !isReadInTry(part, value, variables);
    const isOfRow = !uses.isRepeated || !holdsAggregates(value);
    if (!isOnce && !(isOfRow && ((isCheap(value) && !repeats) || isOnlyInBranches(part, value, variables))))
      return { ...part, value, body: rewrite(body, new Map([...variables, [id, bindingOf(value, variables)]])) };
    inlined.set(id, value);
    if (!isOnce) repeated.add(id);
    return rewrite(body, variables);
  };
  return rewrite(plan, new Map());
}

/** The field of a record that is in its place now, without the other fields. */
function memberOf(plan: Plan): Plan {
  if (plan.kind !== 'Field' || plan.target.kind !== 'RecordLiteral') return plan;
  return plan.target.values[plan.index] ?? plan;
}

/** Returns how a declaration that stays is read. */
function bindingOf(value: Plan, variables: ScopeVariables): ScopeBinding {
  return dependsOnRow(value, { variables }) ? { kind: 'column' } : bindingOfValue(value, variables);
}

/** Returns whether a TRY uses a value that it cannot contain, which is therefore evaluated before. */
function isReadInTry({ id, body }: Let, value: Plan, variables: ScopeVariables): boolean {
  const isUsed = (part: Plan): boolean => part.kind === 'Try' && freeVariables(part).has(id);
  return somePart(body, isUsed) && !isGuardable(value, { variables });
}

/** Parts that are as cheap to repeat as to read. */
const CHEAP = new Set<Plan['kind']>([
  'Constant',
  'Parameter',
  'Variable',
  'Field',
  'Convert',
  'Comparison',
  'Not',
  'IsNull',
  'RecordLiteral',
]);

/** Returns whether repeating a value costs no more than reading it. */
function isCheap(value: Plan): boolean {
  // Computed once for the SELECT, however often it is written.
  if (value.kind === 'Aggregate' || value.kind === 'WindowCall') return true;
  return CHEAP.has(value.kind) && !canFailItself(value) && childrenOfPlan(value).every(isCheap);
}

/** Maximum number of parts; a larger fallible value is evaluated even if no branch that uses it is taken. */
const MOST_PARTS = 200;

/** Returns whether a fallible value is short, reads no rows, and is used in branches only: it is evaluated in each of them then. */
function isOnlyInBranches({ id, body }: Let, value: Plan, variables: ScopeVariables): boolean {
  if (!isFallible(value) || holdsQueries(value, { variables }) || partsOf(value) > MOST_PARTS) return false;
  return !isUsedOutsideBranches(body, id);
}

function isUsedOutsideBranches(plan: Plan, id: VariableId): boolean {
  if (plan.kind === 'Variable') return plan.id === id;
  if (!freeVariables(plan).has(id)) return false;
  if (plan.kind === 'Case') return plan.branches[0] !== undefined && isUsedOutsideBranches(plan.branches[0].when, id);
  if (plan.kind === 'Coalesce' || plan.kind === 'Logical')
    return plan.operands[0] !== undefined && isUsedOutsideBranches(plan.operands[0], id);
  // A value used only by an unused declaration is unused.
  if (plan.kind === 'Let')
    return isUsedOutsideBranches(plan.body, id) || (isUsedOutsideBranches(plan.value, id) && isUsedOutsideBranches(plan.body, plan.id));
  return childrenOfPlan(plan).some((child) => isUsedOutsideBranches(child, id));
}

/** Returns the number of parts of a value, with repetitions; approximate beyond the maximum. */
function partsOf(value: Plan): number {
  let parts = 0;
  const count = (part: Plan): void => {
    parts += 1;
    if (parts <= MOST_PARTS) childrenOfPlan(part).forEach(count);
  };
  count(value);
  return parts;
}
