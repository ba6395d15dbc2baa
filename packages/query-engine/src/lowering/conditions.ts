import type { Case, Coalesce, Logical, Plan } from '@svc/query-language';

import { canFail } from './can-fail.ts';
import type { LoweringContext } from './lowering-context.ts';
import { lowerValue } from './lower-value.ts';
import { inOpaqueCase, isFailingConstant } from './opaque-case.ts';
import { holdsFailingSubquery, holdsSubquery } from './plan-form.ts';
import { bindOnce } from './scalars/bind-once.ts';
import type { Scope } from './scope.ts';
import { guarded, guardedBy, inBranch } from './scope.ts';
import { somePart } from './variables.ts';

/**
 * A condition of WHERE, ON or CASE of rows: there the engine evaluates AND and OR from left to right and only as far as
 * needed, which it does not do where their value is wanted.
 */
export function lowerCondition(context: LoweringContext, plan: Plan, scope: Scope): string {
  if (plan.kind !== 'Logical' || firstQueryOf(plan, scope) > 0) return lowerValue(context, plan, scope);
  const operands = plan.operands.map((operand, i) => {
    const sql = lowerCondition(context, operand, i === 0 ? scope : inBranch(scope));
    const mayNotBeAsked = i > 0 && scope.lambda === null && !scope.isInTry;
    return mayNotBeAsked && isFailingConstant(operand, scope) ? inOpaqueCase(sql, scope) : sql;
  });
  return `(${operands.join(WORDS[plan.operator])})`;
}

/** A condition that a CASE asks, and that may not be asked at all. */
function lowerWhen(context: LoweringContext, plan: Plan, scope: Scope): string {
  const sql = lowerCondition(context, plan, scope);
  const mayNotBeAsked = scope.isInBranch && scope.lambda === null && !scope.isInTry;
  return mayNotBeAsked && isFailingConstant(plan, scope) ? inOpaqueCase(sql, scope) : sql;
}

/** AND and OR as a value: an operand that can fail stands in a branch that is taken only where the ones before do not decide. */
export function lowerLogical(context: LoweringContext, plan: Logical, scope: Scope): string {
  const word = WORDS[plan.operator];
  const firstQuery = firstQueryOf(plan, scope);
  if (firstQuery > 0) return besideQuery(context, plan, scope, firstQuery);
  const firstFailing = plan.operands.findIndex((operand, i) => i > 0 && canFail(operand));
  if (firstFailing < 0) return `(${plan.operands.map((operand) => lowerValue(context, operand, scope)).join(word)})`;
  const before = plan.operands.slice(0, firstFailing);
  const left: Decided = {
    sql: `(${before.map((operand) => lowerValue(context, operand, scope)).join(word)})`,
    isNullable: before.some(mayBeNull),
    canFail: before.some(canFail),
  };
  const isOutside = scope.lambda === null && !scope.isInTry;
  const later = plan.operands.slice(firstFailing).map((operand): Decided => ({
    sql: lowerValue(context, operand, inBranch(scope)),
    isNullable: mayBeNull(operand),
    canFail: true,
    queryScope: isOutside && readsSubquery(operand, scope) ? scope : undefined,
  }));
  return inOrder(plan, [left, ...later]).sql;
}

/** The value of a chain's operands from one place to another. */
interface Decided {
  readonly sql: string;
  readonly isNullable: boolean;
  readonly canFail: boolean;
  /** Where they stand, if one of them reads a sub-query there. */
  readonly queryScope?: Scope | undefined;
}

/**
 * Operands from left to right. The engine takes the cube of the depth of lambdas to bind them, so these are halved; beside a
 * sub-query they are not, since what is before the last would be a column that is computed in any case.
 */
function inOrder(plan: Logical, operands: readonly Decided[]): Decided {
  const [first] = operands;
  if (first === undefined) throw new Error('there is nothing to join');
  if (operands.length === 1) return first;
  const queryScope = operands.find((operand) => operand.queryScope !== undefined)?.queryScope;
  const middle = queryScope === undefined ? operands.length >> 1 : operands.length - 1;
  const [left, right] = [inOrder(plan, operands.slice(0, middle)), inOrder(plan, operands.slice(middle))];
  return {
    sql: decidedThen(plan, left, right),
    isNullable: left.isNullable || right.isNullable,
    canFail: left.canFail || right.canFail,
    queryScope,
  };
}

/**
 * More operands, only where those before do not decide. They are said twice if they are short; else a lambda's variable
 * stands for them, or, beside a sub-query, which cannot stand in a lambda, a column.
 */
function decidedThen(plan: Logical, left: Decided, { sql: right, queryScope }: Decided): string {
  if (!left.isNullable)
    return plan.operator === 'and'
      ? `CASE WHEN NOT ${left.sql} THEN FALSE ELSE ${right} END`
      : `CASE WHEN ${left.sql} THEN TRUE ELSE ${right} END`;
  if (left.sql.length <= SHORT) return joined(plan, left.sql, right);
  if (queryScope !== undefined) return joined(plan, queryScope.prelude.add(guarded(queryScope, left.sql, left.canFail)), right);
  return bindOnce([left.sql], (name) => joined(plan, name, right), [right]);
}

/** SQL that may be said twice: longer values, each saying another twice, would grow with their nesting. */
const SHORT = 400;

/** Whether the SQL of a plan holds a sub-query, also that which reads a declared value. */
function readsSubquery(plan: Plan, scope: Scope): boolean {
  return holdsSubquery(plan, scope) || somePart(plan, (part) => part.kind === 'Let');
}

const WORDS = { and: ' AND ', or: ' OR ' } as const;

/** The place of the first operand but for the very first that holds a sub-query that can fail: it runs in any case. */
function firstQueryOf(plan: Logical, scope: Scope): number {
  return plan.operands.findIndex((operand, i) => i > 0 && isFailingSubquery(operand, scope));
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
  if (firstQuery > 0) return lowerCase(context, nestedCase(plan, firstQuery), scope);
  const branches = [...plan.branches.map(({ then }) => then), plan.otherwise];
  if (branches.some((branch) => isFailingSubquery(branch, scope))) return caseBySelector(context, plan, scope);
  const then = inBranch(scope);
  const whens = plan.branches.map(
    (branch, i) => `WHEN ${lowerWhen(context, branch.when, i === 0 ? scope : then)} THEN ${lowerValue(context, branch.then, then)}`,
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
  const firstQuery = plan.branches.findIndex(({ when }, i) => i > 0 && isFailingSubquery(when, scope));
  if (firstQuery > 0) return selectorBesideQuery(context, plan, scope, firstQuery);
  const whens = plan.branches.map(({ when }, i) => `WHEN ${lowerWhen(context, when, inBranch(scope))} THEN ${i}`);
  const sql = `CASE ${whens.join(' ')} ELSE ${plan.branches.length} END`;
  return guarded(
    scope,
    sql,
    plan.branches.some(({ when }) => canFail(when)),
  );
}

/** What stands before a sub-query that can fail has chosen, or not, before that is asked. */
function selectorBesideQuery(context: LoweringContext, plan: Case, scope: Scope, firstQuery: number): string {
  const first = scope.prelude.add(selectorOf(context, { ...plan, branches: plan.branches.slice(0, firstQuery) }, scope));
  const later = selectorOf(context, { ...plan, branches: plan.branches.slice(firstQuery) }, guardedBy(scope, `${first} = ${firstQuery}`));
  return `CASE WHEN ${first} < ${firstQuery} THEN ${first} ELSE ${later} + ${firstQuery} END`;
}

/** Whether a plan holds a sub-query that can fail, where there may be one at all. */
function isFailingSubquery(plan: Plan, scope: Scope): boolean {
  return scope.lambda === null && !scope.isInTry && holdsFailingSubquery(plan, scope);
}

/** The first operand that is not NULL. */
export function lowerCoalesce(context: LoweringContext, plan: Coalesce, scope: Scope): string {
  const [first, ...rest] = plan.operands;
  if (first === undefined) throw new Error('COALESCE has operands');
  if (rest.length === 0) return lowerValue(context, first, scope);
  if (!rest.some((operand) => isFailingSubquery(operand, scope))) {
    const later = inBranch(scope);
    const lowerLater = (operand: Plan): string => {
      const sql = lowerValue(context, operand, later);
      return canFail(operand) && scope.lambda === null && !scope.isInTry ? inOpaqueCase(sql, scope) : sql;
    };
    return `coalesce(${[lowerValue(context, first, scope), ...rest.map(lowerLater)].join(', ')})`;
  }
  const value = scope.prelude.add(guarded(scope, lowerValue(context, first, scope), canFail(first)));
  const later = lowerCoalesce(context, { ...plan, operands: rest }, guardedBy(scope, `${value} IS NULL`));
  return `CASE WHEN ${value} IS NULL THEN ${later} ELSE ${value} END`;
}
