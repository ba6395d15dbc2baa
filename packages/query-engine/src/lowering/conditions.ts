import type { Case, Coalesce, Logical, Plan } from '@svc/query-language';

import { readsSubquery } from '../analysis/correlation.ts';
import { isFallible } from '../analysis/fallibility.ts';
import { isVolatile } from '../analysis/volatility.ts';
import { joinSql, SQL, type Sql } from '../sql/sql.ts';
import { behindFoldBarrier, unfolded } from './fold-barrier.ts';
import type { LoweringContext } from './lowering-context.ts';
import { checkLimit } from './plan-limits.ts';
import type { Scope } from './scope.ts';
import { inBranch } from './scope.ts';

/**
 * Lowers a condition of WHERE, ON or CASE over rows: there the engine evaluates AND and OR from left to right and only as
 * far as needed, unlike in a value.
 */
export function lowerCondition(context: LoweringContext, plan: Plan, scope: Scope): Sql {
  return conditionSql(plan, scope, { lower: (part, at) => context.lowerValue(part, at), isNegated: false });
}

interface ConditionParts {
  /** Lowers an operand that is no AND or OR itself. */
  readonly lower: (part: Plan, scope: Scope) => Sql;
  readonly isNegated: boolean;
}

/** Lowers a condition, or its negation, which has the same operands in the same order. */
function conditionSql(plan: Plan, scope: Scope, parts: ConditionParts): Sql {
  const { lower, isNegated } = parts;
  if (plan.kind === 'Not') return conditionSql(plan.operand, scope, { lower, isNegated: !isNegated });
  if (plan.kind !== 'Logical') {
    const sql = unfolded(lower(plan, scope), plan, scope);
    return isNegated ? SQL`NOT ${sql}` : sql;
  }
  const operands = plan.operands.map((operand, i) => conditionSql(operand, i === 0 ? scope : inBranch(scope), parts));
  return SQL`(${joinSql(operands, (plan.operator === 'and') === isNegated ? ' OR ' : ' AND ')})`;
}

/** Lowers AND and OR as a value: if an operand after the first can fail, as a CASE of the condition and its negation. */
export function lowerLogical(context: LoweringContext, plan: Logical, scope: Scope): Sql {
  if (!plan.operands.slice(1).some(isFallible)) {
    const values = plan.operands.map((operand) => context.lowerValue(operand, scope));
    return SQL`(${joinSql(values, plan.operator === 'and' ? ' AND ' : ' OR ')})`;
  }
  const known = new Map<Plan, Sql>();
  const lower = (part: Plan, at: Scope): Sql => {
    const sql = known.get(part) ?? repeatable(context, part, at);
    known.set(part, sql);
    return sql;
  };
  const before = context.subqueries;
  const isTrue = conditionSql(plan, scope, { lower, isNegated: false });
  if (!mayBeNull(plan)) return SQL`CASE WHEN ${isTrue} THEN TRUE ELSE FALSE END`;
  const isFalse = conditionSql(plan, scope, { lower, isNegated: true });
  context.subqueries += context.subqueries - before;
  checkLimit('subqueries', context.subqueries, plan.span);
  return SQL`CASE WHEN ${isTrue} THEN TRUE WHEN ${isFalse} THEN FALSE END`;
}

/** Lowers an operand that is written twice: a subquery or a volatile value becomes a column, unless it may fail or is in a lambda. */
function repeatable(context: LoweringContext, part: Plan, scope: Scope): Sql {
  const sql = context.lowerValue(part, scope);
  if (scope.lambda !== null || isFallible(part)) return sql;
  const facts = { isVolatile: isVolatile(part), holdsSubquery: readsSubquery(part, scope) };
  return facts.isVolatile || facts.holdsSubquery ? scope.hoisted.add(sql, facts) : sql;
}

/** Returns whether a condition can be NULL, by its operands, since its type may have been widened. */
function mayBeNull(plan: Plan): boolean {
  if (plan.kind === 'Convert' || plan.kind === 'Not') return mayBeNull(plan.operand);
  if (plan.kind === 'Logical') return plan.operands.some(mayBeNull);
  if (plan.kind === 'Comparison')
    return plan.operator !== 'is-distinct' && plan.operator !== 'is-not-distinct' && (mayBeNull(plan.left) || mayBeNull(plan.right));
  return plan.kind !== 'IsNull' && plan.type.isNullable;
}

/** Lowers CASE: the first branch whose condition is TRUE. */
export function lowerCase(context: LoweringContext, plan: Case, scope: Scope): Sql {
  const then = inBranch(scope);
  const whens = plan.branches.map(
    (branch, i) => SQL`WHEN ${lowerCondition(context, branch.when, i === 0 ? scope : then)} THEN ${context.lowerValue(branch.then, then)}`,
  );
  return SQL`CASE ${joinSql(whens, ' ')} ELSE ${context.lowerValue(plan.otherwise, then)} END`;
}

/** Returns the index of the selected branch, from 0; the last is `otherwise`. */
export function selectorOf(context: LoweringContext, plan: Case, scope: Scope): Sql {
  const whens = plan.branches.map(({ when }, i) => SQL`WHEN ${lowerCondition(context, when, inBranch(scope))} THEN ${i}`);
  return SQL`CASE ${joinSql(whens, ' ')} ELSE ${plan.branches.length} END`;
}

/** Lowers COALESCE: the first operand that is not NULL. */
export function lowerCoalesce(context: LoweringContext, plan: Coalesce, scope: Scope): Sql {
  const [first, ...rest] = plan.operands;
  if (first === undefined) throw new Error('COALESCE has operands');
  const later = inBranch(scope);
  const lowerLater = (operand: Plan): Sql => {
    const sql = context.lowerValue(operand, later);
    return isFallible(operand) && scope.lambda === null && !scope.isInTry ? behindFoldBarrier(sql, scope) : sql;
  };
  return SQL`coalesce(${joinSql([context.lowerValue(first, scope), ...rest.map(lowerLater)])})`;
}
