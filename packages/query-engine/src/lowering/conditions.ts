import type { Case, Coalesce, Logical, Plan } from '@svc/query-language';

import { canFail } from './can-fail.ts';
import type { LoweringContext } from './lowering-context.ts';
import { LoweringUnsupported } from './lowering-unsupported.ts';
import { lowerValue } from './lower-value.ts';
import { holdsSubquery } from './plan-form.ts';
import { bindOnce } from './scalars/bind-once.ts';
import type { Scope } from './scope.ts';
import { guardedBy, inBranch } from './scope.ts';
import { somePart } from './variables.ts';

/**
 * A condition of WHERE, FILTER, ON or CASE: there the engine evaluates AND and OR from left to right and only as far as
 * needed, which it does not do where their value is wanted.
 */
export function lowerCondition(context: LoweringContext, plan: Plan, scope: Scope): string {
  if (plan.kind !== 'Logical' || firstQueryOf(plan, scope) > 0) return lowerValue(context, plan, scope);
  return `(${plan.operands.map((operand) => lowerCondition(context, operand, scope)).join(plan.operator === 'and' ? ' AND ' : ' OR ')})`;
}

/** AND and OR as a value: an operand that can fail stands in a branch that is taken only where the ones before do not decide. */
export function lowerLogical(context: LoweringContext, plan: Logical, scope: Scope): string {
  const word = WORDS[plan.operator];
  const firstQuery = firstQueryOf(plan, scope);
  if (firstQuery > 0) return besideQuery(context, plan, scope, firstQuery);
  const firstFailing = plan.operands.findIndex((operand, i) => i > 0 && canFail(operand));
  if (firstFailing < 0) return `(${plan.operands.map((operand) => lowerValue(context, operand, scope)).join(word)})`;
  const later = inBranch(scope);
  if (!plan.operands.some(mayBeNull))
    return decidedInOrder(
      plan,
      plan.operands.map((operand, i) => lowerValue(context, operand, i === 0 ? scope : later)),
    );
  const before = plan.operands.slice(0, firstFailing);
  const left = `(${before.map((operand) => lowerValue(context, operand, scope)).join(word)})`;
  const right = chained(context, plan, plan.operands.slice(firstFailing), later);
  const isNullable = before.some(mayBeNull);
  if (!isNullable)
    return plan.operator === 'and' ? `CASE WHEN ${left} THEN ${right} ELSE FALSE END` : `CASE WHEN ${left} THEN TRUE ELSE ${right} END`;
  if (plan.operands.length > LONGEST) throw new LoweringUnsupported(`more than ${LONGEST} operands that can be NULL or fail`, plan.span);
  // What reads a sub-query cannot stand in a lambda.
  const isBeside = scope.lambda === null && plan.operands.slice(firstFailing).some((operand) => readsSubquery(operand, scope));
  if (isBeside) return joined(plan, scope.prelude.add(guarded(scope, left, before.some(canFail))), right);
  return bindOnce([left], (name) => joined(plan, name, right));
}

/** Whether the SQL of a plan holds a sub-query, also that which reads a declared value. */
function readsSubquery(plan: Plan, scope: Scope): boolean {
  return holdsSubquery(plan, scope) || somePart(plan, (part) => part.kind === 'Let');
}

const WORDS = { and: ' AND ', or: ' OR ' } as const;

/** The place of the first operand but for the very first that holds a sub-query that can fail: it runs in any case. */
function firstQueryOf(plan: Logical, scope: Scope): number {
  return scope.lambda === null ? plan.operands.findIndex((operand, i) => i > 0 && isFailingSubquery(operand, scope)) : -1;
}

/** What stands before a sub-query that can fail is computed beside the row: the sub-query asks it whether it is wanted. */
function besideQuery(context: LoweringContext, plan: Logical, scope: Scope, firstQuery: number): string {
  const before = plan.operands.slice(0, firstQuery);
  const left = scope.prelude.add(guarded(scope, chained(context, plan, before, scope), before.some(canFail)));
  const isOpen = plan.operator === 'and' ? `coalesce(${left}, TRUE)` : `NOT coalesce(${left}, FALSE)`;
  return joined(plan, left, chained(context, plan, plan.operands.slice(firstQuery), guardedBy(scope, isOpen)));
}

function chained(context: LoweringContext, plan: Logical, operands: readonly Plan[], scope: Scope): string {
  const [only, ...others] = operands;
  if (only === undefined) throw new Error('there is nothing to join');
  return others.length === 0 ? lowerValue(context, only, scope) : lowerLogical(context, { ...plan, operands }, scope);
}

/** Both sides, the right one only where the left does not decide. */
function joined({ operator }: Logical, left: string, right: string): string {
  return operator === 'and'
    ? `CASE WHEN NOT ${left} THEN FALSE ELSE (${left} AND ${right}) END`
    : `CASE WHEN ${left} THEN TRUE ELSE (${left} OR ${right}) END`;
}

/** Operands that are never NULL: the first that decides. */
function decidedInOrder(plan: Logical, operands: readonly string[]): string {
  const whens = operands.slice(0, -1).map((sql) => (plan.operator === 'and' ? `WHEN NOT ${sql} THEN FALSE` : `WHEN ${sql} THEN TRUE`));
  return `CASE ${whens.join(' ')} ELSE ${operands.at(-1) ?? 'NULL'} END`;
}

/** Past this the engine's parser gives up nested conditions. */
const LONGEST = 200;

/** Whether a condition can be NULL: by what it is made of, since its type may have been widened. */
function mayBeNull(plan: Plan): boolean {
  if (plan.kind === 'Convert' || plan.kind === 'Not') return mayBeNull(plan.operand);
  if (plan.kind === 'Logical') return plan.operands.some(mayBeNull);
  if (plan.kind === 'Comparison')
    return plan.operator !== 'is-distinct' && plan.operator !== 'is-not-distinct' && (mayBeNull(plan.left) || mayBeNull(plan.right));
  return plan.kind !== 'IsNull' && plan.type.isNullable;
}

/** The first branch whose condition holds. A sub-query that can fail is told which branch was taken: it runs in any case. */
export function lowerCase(context: LoweringContext, plan: Case, scope: Scope): string {
  const firstQuery = plan.branches.findIndex(({ when }, i) => i > 0 && isFailingSubquery(when, scope));
  if (firstQuery > 0 && scope.lambda === null) return lowerCase(context, nestedCase(plan, firstQuery), scope);
  const branches = [...plan.branches.map(({ then }) => then), plan.otherwise];
  if (branches.some((branch) => isFailingSubquery(branch, scope)) && scope.lambda === null) return caseBySelector(context, plan, scope);
  const then = inBranch(scope);
  const whens = plan.branches.map(
    (branch, i) => `WHEN ${lowerCondition(context, branch.when, i === 0 ? scope : then)} THEN ${lowerValue(context, branch.then, then)}`,
  );
  return `CASE ${whens.join(' ')} ELSE ${lowerValue(context, plan.otherwise, then)} END`;
}

/** The same with the branches from a place on in a CASE of their own. */
function nestedCase(plan: Case, place: number): Case {
  return { ...plan, branches: plan.branches.slice(0, place), otherwise: { ...plan, branches: plan.branches.slice(place) } };
}

function caseBySelector(context: LoweringContext, plan: Case, scope: Scope): string {
  const selector = scope.prelude.add(selectorOf(context, plan, scope));
  const branch = (then: Plan, i: number): string => `WHEN ${i} THEN ${lowerValue(context, then, guardedBy(scope, `${selector} = ${i}`))}`;
  return `CASE ${selector} ${[...plan.branches.map(({ then }) => then), plan.otherwise].map(branch).join(' ')} END`;
}

/** The number of the branch that is taken, from 0; the last is `otherwise`. Asked only where the guards around hold. */
export function selectorOf(context: LoweringContext, plan: Case, scope: Scope): string {
  const whens = plan.branches.map(({ when }, i) => `WHEN ${lowerCondition(context, when, scope)} THEN ${i}`);
  const sql = `CASE ${whens.join(' ')} ELSE ${plan.branches.length} END`;
  return guarded(
    scope,
    sql,
    plan.branches.some(({ when }) => canFail(when)),
  );
}

/** SQL that is evaluated before its branch is known to be taken, and must not fail where it is not. */
export function guarded(scope: Scope, sql: string, isFailing: boolean): string {
  return isFailing && scope.guards.length > 0 ? `CASE WHEN ${scope.guards.join(' AND ')} THEN ${sql} END` : sql;
}

function isFailingSubquery(plan: Plan, scope: Scope): boolean {
  return canFail(plan) && holdsSubquery(plan, scope);
}

/** The first operand that is not NULL. */
export function lowerCoalesce(context: LoweringContext, plan: Coalesce, scope: Scope): string {
  const [first, ...rest] = plan.operands;
  if (first === undefined) throw new Error('COALESCE has operands');
  if (scope.lambda !== null || !rest.some((operand) => isFailingSubquery(operand, scope))) {
    const later = inBranch(scope);
    return `coalesce(${[lowerValue(context, first, scope), ...rest.map((operand) => lowerValue(context, operand, later))].join(', ')})`;
  }
  const value = scope.prelude.add(guarded(scope, lowerValue(context, first, scope), canFail(first)));
  return `coalesce(${value}, ${lowerCoalesce(context, { ...plan, operands: rest }, guardedBy(scope, `${value} IS NULL`))})`;
}
