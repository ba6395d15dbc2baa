import type { Case, Coalesce, Logical, Plan } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { readsSubquery } from '../analysis/correlation.ts';
import { joinSql, SQL, type Sql } from '../sql/sql.ts';
import { behindFoldBarrier, unfolded } from './fold-barrier.ts';
import type { LoweringContext } from './lowering-context.ts';
import { letExpression } from './scalars/let-expression.ts';
import type { Scope } from './scope.ts';
import { inBranch } from './scope.ts';

/**
 * Lowers a condition of WHERE, ON or CASE over rows: there the engine evaluates AND and OR from left to right and only as
 * far as needed, unlike in a value.
 */
export function lowerCondition(context: LoweringContext, plan: Plan, scope: Scope): Sql {
  if (plan.kind !== 'Logical') return unfolded(context.lowerValue(plan, scope), plan, scope);
  const operands = plan.operands.map((operand, i) => lowerCondition(context, operand, i === 0 ? scope : inBranch(scope)));
  return SQL`(${joinSql(operands, WORDS[plan.operator])})`;
}

/**
 * Lowers AND and OR as a value: a fallible operand, and those after it, are evaluated only if the ones before do not decide. If
 * none decides, those that can be NULL are evaluated again with the last one.
 */
export function lowerLogical(context: LoweringContext, plan: Logical, scope: Scope): Sql {
  const { operator, operands } = plan;
  const joined = (parts: readonly Sql[]): Sql => SQL`(${joinSql(parts, WORDS[operator])})`;
  const firstFailing = operands.findIndex((operand, i) => i > 0 && isFallible(operand));
  if (firstFailing < 0) return joined(operands.map((operand) => context.lowerValue(operand, scope)));
  const before = operands.slice(0, firstFailing);
  const later = operands.slice(firstFailing);
  const branch = inBranch(scope);
  const laterSql = later.map((operand) => unfolded(context.lowerValue(operand, branch), operand, branch));
  const canBeNull = [before.some(mayBeNull), ...later.map(mayBeNull)];
  const inOrder = (first: Sql): Sql => {
    const parts = [first, ...laterSql];
    const whens = parts.slice(0, -1).map((part) => (operator === 'and' ? SQL`WHEN NOT ${part} THEN FALSE` : SQL`WHEN ${part} THEN TRUE`));
    const open = parts.filter((_, i) => i === parts.length - 1 || canBeNull[i] === true);
    return SQL`CASE ${joinSql(whens, ' ')} ELSE ${joined(open)} END`;
  };
  const first = joined(before.map((operand) => context.lowerValue(operand, scope)));
  const isBound =
    canBeNull[0] === true && first.size > SHORT && (scope.lambda !== null || !later.some((operand) => readsSubquery(operand, scope)));
  return isBound ? letExpression([first], inOrder) : inOrder(first);
}

/** Maximum length of SQL that is repeated; a subquery beside longer SQL cannot be in the lambda that binds it. */
const SHORT = 400;

const WORDS = { and: ' AND ', or: ' OR ' } as const;

/** Returns whether a condition can be NULL, by its operands, since its type may have been widened. */
function mayBeNull(plan: Plan): boolean {
  if (plan.kind === 'Convert' || plan.kind === 'Not') return mayBeNull(plan.operand);
  if (plan.kind === 'Logical') return plan.operands.some(mayBeNull);
  if (plan.kind === 'Comparison')
    return plan.operator !== 'is-distinct' && plan.operator !== 'is-not-distinct' && (mayBeNull(plan.left) || mayBeNull(plan.right));
  return plan.kind !== 'IsNull' && plan.type.isNullable;
}

/** Lowers CASE: the first branch whose condition is TRUE. `lowerResult` lowers the results. */
export function lowerCase(context: LoweringContext, plan: Case, scope: Scope, lowerResult = context.lowerValue): Sql {
  const then = inBranch(scope);
  const whens = plan.branches.map(
    (branch, i) => SQL`WHEN ${lowerCondition(context, branch.when, i === 0 ? scope : then)} THEN ${lowerResult(branch.then, then)}`,
  );
  return SQL`CASE ${joinSql(whens, ' ')} ELSE ${lowerResult(plan.otherwise, then)} END`;
}

/** Returns the index of the selected branch, from 0; the last is `otherwise`. */
export function selectorOf(context: LoweringContext, plan: Case, scope: Scope): Sql {
  const whens = plan.branches.map(({ when }, i) => SQL`WHEN ${lowerCondition(context, when, inBranch(scope))} THEN ${i}`);
  return SQL`CASE ${joinSql(whens, ' ')} ELSE ${plan.branches.length} END`;
}

/** Lowers COALESCE: the first operand that is not NULL. `lowerOperand` lowers the operands. */
export function lowerCoalesce(context: LoweringContext, plan: Coalesce, scope: Scope, lowerOperand = context.lowerValue): Sql {
  const [first, ...rest] = plan.operands;
  if (first === undefined) throw new Error('COALESCE has operands');
  const later = inBranch(scope);
  const lowerLater = (operand: Plan): Sql => {
    const sql = lowerOperand(operand, later);
    return isFallible(operand) && scope.lambda === null ? behindFoldBarrier(sql, scope) : sql;
  };
  return SQL`coalesce(${joinSql([lowerOperand(first, scope), ...rest.map(lowerLater)])})`;
}
