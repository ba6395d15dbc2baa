import type { Case, Coalesce, Logical, Plan } from '@svc/query-language';

import { canFail } from './can-fail.ts';
import type { LoweringContext } from './lowering-context.ts';
import { LoweringUnsupported } from './lowering-unsupported.ts';
import { lowerValue } from './lower-value.ts';
import { holdsSubquery } from './plan-form.ts';
import { bindOnce } from './scalars/bind-once.ts';
import type { Scope } from './scope.ts';
import { guardedBy } from './scope.ts';

/**
 * A condition of WHERE, FILTER, ON or CASE: there the engine evaluates AND and OR from left to right and only as far as
 * needed, which it does not do where their value is wanted.
 */
export function lowerCondition(context: LoweringContext, plan: Plan, scope: Scope): string {
  if (plan.kind !== 'Logical') return lowerValue(context, plan, scope);
  return `(${plan.operands.map((operand) => lowerCondition(context, operand, scope)).join(plan.operator === 'and' ? ' AND ' : ' OR ')})`;
}

/** AND and OR as a value: an operand that can fail stands in a branch that is taken only where the ones before do not decide. */
export function lowerLogical(context: LoweringContext, plan: Logical, scope: Scope): string {
  const word = plan.operator === 'and' ? ' AND ' : ' OR ';
  const firstFailing = plan.operands.findIndex((operand, i) => i > 0 && canFail(operand));
  if (firstFailing < 0) return `(${plan.operands.map((operand) => lowerValue(context, operand, scope)).join(word)})`;
  if (!plan.operands.some(mayBeNull))
    return decidedInOrder(
      plan,
      plan.operands.map((operand) => lowerValue(context, operand, scope)),
    );
  const before = plan.operands.slice(0, firstFailing);
  const left = `(${before.map((operand) => lowerValue(context, operand, scope)).join(word)})`;
  const [only, ...others] = plan.operands.slice(firstFailing);
  if (only === undefined) throw new Error('there is nothing to join');
  const right =
    others.length === 0 ? lowerValue(context, only, scope) : lowerLogical(context, { ...plan, operands: [only, ...others] }, scope);
  const isNullable = before.some(mayBeNull);
  if (!isNullable)
    return plan.operator === 'and' ? `CASE WHEN ${left} THEN ${right} ELSE FALSE END` : `CASE WHEN ${left} THEN TRUE ELSE ${right} END`;
  if (plan.operands.length > LONGEST) throw new LoweringUnsupported(`more than ${LONGEST} operands that can be NULL or fail`, plan.span);
  const rests = plan.operands.slice(firstFailing);
  const bind = rests.some((operand) => holdsSubquery(operand, scope)) ? bindBeside(scope, before, plan) : bindOnce;
  return bind([left], (a) =>
    plan.operator === 'and'
      ? `CASE WHEN NOT ${a} THEN FALSE ELSE (${a} AND ${right}) END`
      : `CASE WHEN ${a} THEN TRUE ELSE (${a} OR ${right}) END`,
  );
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

type Bind = (values: readonly string[], body: (...names: string[]) => string) => string;

/** Binds values as columns beside the row, since what uses them holds a sub-query, which no lambda may. */
function bindBeside(scope: Scope, values: readonly Plan[], at: Plan): Bind {
  if (scope.lambda !== null || (values.some(canFail) && scope.guards.length > 0))
    throw new LoweringUnsupported('a query in this place', at.span);
  return (sqls, body) => body(...sqls.map((sql) => scope.prelude.add(sql)));
}

/** The first branch whose condition holds. A sub-query that can fail is told which branch was taken: it runs in any case. */
export function lowerCase(context: LoweringContext, plan: Case, scope: Scope): string {
  const branches = [...plan.branches.map(({ then }) => then), plan.otherwise];
  if (branches.some((branch) => isFailingSubquery(branch, scope)) && scope.lambda === null) return caseBySelector(context, plan, scope);
  const inBranch: Scope = scope.lambda === null ? scope : { ...scope, hasHiddenGuard: true };
  const whens = plan.branches.map(
    ({ when, then }) => `WHEN ${lowerCondition(context, when, scope)} THEN ${lowerValue(context, then, inBranch)}`,
  );
  return `CASE ${whens.join(' ')} ELSE ${lowerValue(context, plan.otherwise, inBranch)} END`;
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
    const later: Scope = scope.lambda === null ? scope : { ...scope, hasHiddenGuard: true };
    return `coalesce(${[lowerValue(context, first, scope), ...rest.map((operand) => lowerValue(context, operand, later))].join(', ')})`;
  }
  const value = scope.prelude.add(guarded(scope, lowerValue(context, first, scope), canFail(first)));
  return `coalesce(${value}, ${lowerCoalesce(context, { ...plan, operands: rest }, guardedBy(scope, `${value} IS NULL`))})`;
}
