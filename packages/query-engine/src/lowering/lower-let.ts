import type { Let, Plan, VariableId } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { dependsOnLambda, dependsOnRow } from '../analysis/correlation.ts';
import { fallibleUse, isFallible } from '../analysis/fallibility.ts';
import { readsSubquery } from '../analysis/reads-subquery.ts';
import { holdsQueries, holdsSubquery, isGuardable, isRelational, isRows, needsSubquery } from '../analysis/relational-analysis.ts';
import { freeVariables, somePart, usesOf } from '../analysis/variables.ts';
import { isVolatileIn } from '../analysis/volatility.ts';
import { substitute } from '../rewrite/substitute.ts';
import { materialized, select, subquery } from '../sql/select.ts';
import { SQL, type Sql } from '../sql/sql.ts';
import { NO_HOISTED_COLUMNS } from './hoisted-columns.ts';
import type { LoweringContext } from './lowering-context.ts';
import { addValueTable, freshColumn } from './lowering-context.ts';
import type { Binding, Scope } from './scope.ts';
import { bindAll, createScope } from './scope.ts';
import { singleRowRelation } from './single-row-relation.ts';

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

/**
 * Returns the scope of a Let's body, with its value bound in the cheapest way that evaluates it once. Null: it must be bound
 * around the body.
 */
export function openLet(context: LoweringContext, plan: Let, scope: Scope): { readonly scope: Scope; readonly body: Plan } | null {
  const written = plan.body;
  const { count, isRepeated } = usesOf(written, plan.id);
  if (count === 0) return { scope, body: written };
  if (
    (count === 1 && !isRepeated && !isReadInTry(plan, written, scope)) ||
    isCheap(plan.value, scope) ||
    isOnlyInBranches(plan, written, scope)
  ) {
    const body = isFallible(plan.value) ? substitute(written, plan.id, fallibleUse(plan)) : written;
    return { scope: bindAll(scope, [[plan.id, inPlace(plan, scope)]]), body };
  }
  if (dependsOnRow(plan.value, scope)) return null;
  const isGuarded = scope.isInTry || scope.isInBranch;
  if (isGuarded && isFallible(plan.value) && !isRelational(plan.value, scope.variables)) return null;
  // A value that has been evaluated before cannot fail where it is read.
  return { scope: bindAll(scope, [[plan.id, shared(context, plan, scope)]]), body: written };
}

/** Returns whether a TRY uses a value that it cannot contain, which is therefore evaluated before. */
function isReadInTry({ id, value }: Let, body: Plan, scope: Scope): boolean {
  const isUsed = (part: Plan): boolean => part.kind === 'Try' && freeVariables(part).has(id);
  return somePart(body, isUsed) && !isGuardable(value, scope);
}

/** Returns whether repeating a value costs no more than reading it; false if it would repeat values that are repeated themselves. */
function isCheap(value: Plan, scope: Scope): boolean {
  if (isFallible(value)) return false;
  return !somePart(value, (part) => !CHEAP.has(part.kind) || (part.kind === 'Variable' && scope.variables.get(part.id)?.kind === 'plan'));
}

/** The engine keeps the order of materialized rows only if one operator has consumed all of them: a LIMIT that keeps all does. */
const NO_LIMIT = SQL`9223372036854775807`;

/** Lowers a closed value to a common table expression, so that it is computed once. */
function shared(context: LoweringContext, { value }: Let, scope: Scope): Binding {
  const name = freshColumn(context, 'd');
  const outside = createScope(NO_HOISTED_COLUMNS, scope.variables);
  if (isRows(value.type) && isRelational(value, scope.variables)) {
    const relation = context.lowerRelation(value, outside, { keepsOrder: true, isExplicit: false });
    context.tables.push(materialized(name, select({ takesAll: true, from: subquery(relation.sql), limit: NO_LIMIT })));
    return { kind: 'relation', table: name, layout: relation.layout };
  }
  const row = singleRowRelation(context, value, outside, (sql) => sql);
  return { kind: 'shared', sql: addValueTable(context, name, row) };
}

function inPlace({ value }: Let, scope: Scope): Binding {
  return { kind: 'plan', plan: value, variables: scope.variables };
}

/** Maximum number of parts; a larger fallible value is evaluated even if no branch that uses it is taken. */
const MOST_PARTS = 200;

/** Returns whether a fallible value is short, reads no rows, and is used in branches only: it is evaluated in each of them then. */
function isOnlyInBranches({ id, value }: Let, body: Plan, scope: Scope): boolean {
  if (!isFallible(value) || holdsQueries(value, scope) || partsOf(value, scope) > MOST_PARTS) return false;
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
  let found = false;
  mapChildren(plan, (child) => {
    found ||= isUsedOutsideBranches(child, id);
    return child;
  });
  return found;
}

/** Returns the number of parts of a value, with repetitions; approximate beyond the maximum. */
function partsOf(value: Plan, scope: { readonly variables: Scope['variables'] }): number {
  const said = new Map<VariableId, number>();
  const count = (part: Plan): number => {
    if (part.kind === 'Variable') {
      const binding = scope.variables.get(part.id);
      return binding?.kind === 'plan' ? partsOf(binding.plan, binding) : (said.get(part.id) ?? 1);
    }
    if (part.kind === 'Let') {
      const own = count(part.value);
      said.set(part.id, isFallible(part.value) ? own : 1);
      return own + count(part.body);
    }
    let parts = 1;
    mapChildren(part, (child) => {
      if (parts <= MOST_PARTS) parts += count(child);
      return child;
    });
    return parts;
  };
  return count(value);
}

/**
 * Lowers a Let in an expression: a value that depends on the row becomes a hoisted column or, if that is impossible, a
 * lambda's variable.
 */
export function lowerLet(context: LoweringContext, plan: Let, scope: Scope): Sql {
  const opened = openLet(context, plan, scope);
  if (opened !== null) return context.lowerValue(opened.body, opened.scope);
  const { body } = plan;
  const value = context.lowerValue(plan.value, scope);
  // Lambdas cannot contain a subquery that uses their variable; a column is computed for each row, even if a branch guards
  // the value.
  const isGuarded = scope.isInTry || (scope.isInBranch && !isUsedByQuery(plan, scope));
  const isColumn = !isFallible(plan.value) || (holdsSubquery(body, scope) && !isGuarded);
  if (isColumn && !dependsOnLambda(plan.value, scope)) {
    const column = scope.hoisted.add(value, {
      isVolatile: isVolatileIn(plan.value, scope),
      holdsSubquery: readsSubquery(plan.value, scope),
    });
    return context.lowerValue(body, bindAll(scope, [[plan.id, { kind: 'column', sql: column }]]));
  }
  const name = freshColumn(context, 'x');
  const inside: Scope = {
    ...bindAll(scope, [[plan.id, { kind: 'column', sql: name }]]),
    lambda: new Set([...(scope.lambda ?? []), plan.id]),
  };
  return SQL`list_extract(list_transform([${value}], lambda ${name}: ${context.lowerValue(body, inside)}), 1)`;
}

function isUsedByQuery({ id, body }: Let, scope: Scope): boolean {
  return somePart(body, (part) => freeVariables(part).has(id) && needsSubquery(part, scope.variables));
}
