import type { Let, Plan, VariableId } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { alwaysEvaluated } from '../analysis/always-evaluated.ts';
import { dependsOnLambda, dependsOnRow, readsSubquery } from '../analysis/correlation.ts';
import { bindingOfValue, holdsSubquery, isRelational, needsSubquery } from '../analysis/relational-analysis.ts';
import { freeVariables, somePart } from '../analysis/variables.ts';
import { isVolatile } from '../analysis/volatility.ts';
import { materialized, select, subquery } from '../sql/select.ts';
import { joinSql, memberOf, NULL, SQL, variableRef, type Column, type Sql } from '../sql/sql.ts';
import { NO_HOISTED_COLUMNS } from './hoisted-columns.ts';
import type { LoweringContext } from './lowering-context.ts';
import { addValueTable, freshColumn } from './lowering-context.ts';
import { columnsOf } from './relation.ts';
import { lowerKept } from './scalars/decimal-scale.ts';
import type { Binding, Scope } from './scope.ts';
import { bindAll, createScope } from './scope.ts';
import { singleRowRelation } from './single-row-relation.ts';

/**
 * Returns the scope of a Let's body, with its value in a common table expression. Null if the value depends on a row, or can
 * fail where it may not be evaluated: it must be bound around the body.
 */
export function openLet(context: LoweringContext, { id, value }: Let, scope: Scope): Scope | null {
  if (dependsOnRow(value, scope)) return null;
  if (scope.isInBranch && isFallible(value) && !isRelational(value, scope.variables)) return null;
  return bindAll(scope, [[id, shared(context, value, scope)]]);
}

/** The engine keeps the order of materialized rows only if one operator has consumed all of them: a LIMIT that keeps all does. */
const NO_LIMIT = SQL`9223372036854775807`;

/** Lowers a closed value to a common table expression, so that it is computed once. */
function shared(context: LoweringContext, value: Plan, scope: Scope): Binding {
  const name = freshColumn(context, 'd');
  const outside = createScope(NO_HOISTED_COLUMNS, scope.variables);
  const { kind, isDocument = false } = bindingOfValue(value, scope.variables);
  if (kind === 'relation') {
    const relation = context.lowerRelation(value, outside, { keepsOrder: true, isExplicit: false });
    context.tables.push(materialized(name, select({ items: columnsOf(relation.layout), from: subquery(relation.sql), limit: NO_LIMIT })));
    return { kind: 'relation', table: name, layout: relation.layout };
  }
  const row = singleRowRelation(context, value, outside);
  return { kind: 'shared', sql: addValueTable(context, name, row), isDocument };
}

/**
 * Lowers a Let in an expression: a value that depends on the row becomes a hoisted column or, if that is impossible, a
 * lambda's variable. `lowerBody` lowers the body.
 */
export function lowerLet(context: LoweringContext, plan: Let, scope: Scope, lowerBody = context.lowerValue): Sql {
  const { id, body } = plan;
  const opened = openLet(context, plan, scope);
  if (opened !== null) return lowerBody(body, opened);
  if (isBoundByLambda(plan, scope)) return lowerInLambda(context, plan, scope, lowerBody);
  const { sql: value, scale } = lowerKept(context, plan.value, scope);
  const column = scope.hoisted.add(value, { isVolatile: isVolatile(plan.value), holdsSubquery: readsSubquery(plan.value, scope) });
  return lowerBody(body, bindAll(scope, [[id, { kind: 'column', sql: column, scale }]]));
}

function lowerInLambda(context: LoweringContext, plan: Let, scope: Scope, lowerBody: LoweringContext['lowerValue']): Sql {
  const chain = chainOf(plan, scope);
  if (chain.length >= LONG_CHAIN) return lowerChain(context, chain, scope, lowerBody);
  const { sql: value, scale } = lowerKept(context, plan.value, scope);
  const name = freshColumn(context, 'x');
  const inside = withLambda(scope, plan.id, { kind: 'column', sql: name, scale });
  return SQL`list_extract(list_transform([${value}], lambda ${name}: ${lowerBody(plan.body, inside)}), 1)`;
}

function isBoundByLambda(plan: Let, scope: Scope): boolean {
  const { id, value, body } = plan;
  // Lambdas cannot contain a subquery that uses their variable; a column is computed for each row, even if a branch guards
  // the value.
  const isGuarded = scope.isInTry || (scope.isInBranch && !isUsedByQuery(plan, scope));
  const isCertain = scope.lambda === null && !scope.isInTry && !scope.isInBranch && alwaysEvaluated(body).has(id);
  const isColumn = !isFallible(value) || isCertain || (holdsSubquery(body, scope) && !isGuarded);
  return !isColumn || dependsOnLambda(value, scope);
}

function withLambda(scope: Scope, id: VariableId, binding: Binding): Scope {
  return { ...bindAll(scope, [[id, binding]]), lambda: new Set([...(scope.lambda ?? []), id]) };
}

/** Number of Lets from which lambdas do not stand within each other. */
const LONG_CHAIN = 4;

/** Returns a Let and those that follow in its body, as far as lambdas bind them. */
function chainOf(plan: Let, scope: Scope): readonly Let[] {
  const chain = [plan];
  let inside = withLambda(scope, plan.id, { kind: 'column', sql: NULL });
  for (let next = plan.body; next.kind === 'Let' && dependsOnRow(next.value, inside) && isBoundByLambda(next, inside); next = next.body) {
    chain.push(next);
    inside = withLambda(inside, next.id, { kind: 'column', sql: NULL });
  }
  return chain;
}

/**
 * Lowers a chain of Lets by lambdas over a list of one struct of the values so far, each over the list of the one before: those
 * within each other take the engine twice as long with each.
 */
function lowerChain(context: LoweringContext, chain: readonly Let[], scope: Scope, lowerBody: LoweringContext['lowerValue']): Sql {
  let bound: readonly { readonly id: VariableId; readonly scale: number | undefined }[] = [];
  const within = (struct: Column): Scope =>
    bound.reduce((inside, { id, scale }) => withLambda(inside, id, { kind: 'column', sql: memberOf(struct, `v${id}`), scale }), scope);
  let list: Sql | null = null;
  let rest: Plan | undefined = chain[0];
  for (const { id, value, body } of chain) {
    const struct = freshColumn(context, 'x');
    const { sql, scale } = lowerKept(context, value, within(struct));
    const needed = bound.filter((other) => freeVariables(body).has(other.id));
    const members = [...needed.map((other) => [other.id, memberOf(struct, `v${other.id}`)] as const), [id, sql] as const];
    const packed = SQL`struct_pack(${joinSql(members.map(([of, member]) => SQL`${variableRef(`v${of}`)} := ${member}`))})`;
    list = list === null ? SQL`[${packed}]` : SQL`list_transform(${list}, lambda ${struct}: ${packed})`;
    bound = [...needed, { id, scale }];
    rest = body;
  }
  const struct = freshColumn(context, 'x');
  if (list === null || rest === undefined) throw new Error('a chain has a Let');
  return SQL`list_extract(list_transform(${list}, lambda ${struct}: ${lowerBody(rest, within(struct))}), 1)`;
}

function isUsedByQuery({ id, body }: Let, scope: Scope): boolean {
  return somePart(body, (part) => freeVariables(part).has(id) && needsSubquery(part, scope.variables));
}
