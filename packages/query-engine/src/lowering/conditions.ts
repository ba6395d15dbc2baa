import type { Case, Coalesce, Logical, Plan } from '@svc/query-language';

import { readsSubquery } from '../analysis/correlation.ts';
import { isFallible } from '../analysis/fallibility.ts';
import { isVolatile } from '../analysis/volatility.ts';
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

/** Lowers AND and OR as a value: a fallible operand is in a branch that is taken only if the ones before do not decide. */
export function lowerLogical(context: LoweringContext, plan: Logical, scope: Scope): Sql {
  const word = WORDS[plan.operator];
  const firstFailing = plan.operands.findIndex((operand, i) => i > 0 && isFallible(operand));
  if (firstFailing < 0)
    return SQL`(${joinSql(
      plan.operands.map((operand) => context.lowerValue(operand, scope)),
      word,
    )})`;
  const before = plan.operands.slice(0, firstFailing);
  const left: Decided = {
    sql: SQL`(${joinSql(
      before.map((operand) => context.lowerValue(operand, scope)),
      word,
    )})`,
    isNullable: before.some(mayBeNull),
    isFallible: before.some(isFallible),
    isVolatile: before.some(isVolatile),
    holdsSubquery: before.some((operand) => readsSubquery(operand, scope)),
  };
  const isOutside = scope.lambda === null;
  const branch = inBranch(scope);
  const later = plan.operands.slice(firstFailing).map((operand): Decided => {
    const holdsSubquery = readsSubquery(operand, scope);
    return {
      sql: unfolded(context.lowerValue(operand, branch), operand, branch),
      isNullable: mayBeNull(operand),
      isFallible: true,
      isVolatile: isVolatile(operand),
      holdsSubquery,
      queryScope: isOutside && holdsSubquery ? scope : undefined,
    };
  });
  return inOrder(plan, [left, ...later]).sql;
}

/** The value of a chain's operands from one place to another. */
interface Decided {
  readonly sql: Sql;
  readonly isNullable: boolean;
  readonly isFallible: boolean;
  readonly isVolatile: boolean;
  readonly holdsSubquery: boolean;
  /** Their scope, if one after the first reads a subquery there. */
  readonly queryScope?: Scope | undefined;
}

/**
 * Combines operands from left to right. Binding takes the engine time cubic in the depth of lambdas, so the operands are
 * halved; not beside a subquery, since all before the last would be a column that is computed in any case.
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
    isFallible: left.isFallible || right.isFallible,
    isVolatile: left.isVolatile || right.isVolatile,
    holdsSubquery: left.holdsSubquery || right.holdsSubquery,
    queryScope,
  };
}

/**
 * Combines further operands that are evaluated only if those before do not decide. Short SQL of those before is repeated;
 * else it is bound to a lambda's variable, or, beside a subquery, which cannot be in a lambda, to a column.
 */
function decidedThen(plan: Logical, left: Decided, { sql: right, queryScope }: Decided): Sql {
  if (!left.isNullable)
    return plan.operator === 'and'
      ? SQL`CASE WHEN NOT ${left.sql} THEN FALSE ELSE ${right} END`
      : SQL`CASE WHEN ${left.sql} THEN TRUE ELSE ${right} END`;
  if (left.sql.size <= SHORT) return joined(plan, left.sql, right);
  // A column is computed for each row, so it cannot hold what a branch guards.
  if (queryScope !== undefined)
    return joined(plan, queryScope.isInBranch && left.isFallible ? left.sql : queryScope.hoisted.add(left.sql, left), right);
  return letExpression([left.sql], (name) => joined(plan, name, right));
}

/** Maximum length of SQL that is repeated: longer values, each repeating another, would grow exponentially with their nesting. */
const SHORT = 400;

const WORDS = { and: ' AND ', or: ' OR ' } as const;

/** Combines both sides; the right one is evaluated only if the left does not decide. */
function joined({ operator }: Logical, left: Sql, right: Sql): Sql {
  return operator === 'and'
    ? SQL`CASE WHEN NOT ${left} THEN FALSE ELSE (${left} AND ${right}) END`
    : SQL`CASE WHEN ${left} THEN TRUE ELSE (${left} OR ${right}) END`;
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
    return isFallible(operand) && scope.lambda === null ? behindFoldBarrier(sql, scope) : sql;
  };
  return SQL`coalesce(${joinSql([context.lowerValue(first, scope), ...rest.map(lowerLater)])})`;
}
