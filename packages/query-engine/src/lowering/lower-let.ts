import type { Let, Plan } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { alwaysEvaluated } from '../analysis/always-evaluated.ts';
import { dependsOnLambda, dependsOnRow, readsSubquery } from '../analysis/correlation.ts';
import { bindingOfValue, holdsSubquery, isRelational, needsSubquery } from '../analysis/relational-analysis.ts';
import { freeVariables, somePart } from '../analysis/variables.ts';
import { isVolatile } from '../analysis/volatility.ts';
import { materialized, select, subquery } from '../sql/select.ts';
import { SQL, type Sql } from '../sql/sql.ts';
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
  const { body } = plan;
  const opened = openLet(context, plan, scope);
  if (opened !== null) return lowerBody(body, opened);
  const { sql: value, scale } = lowerKept(context, plan.value, scope);
  // Lambdas cannot contain a subquery that uses their variable; a column is computed for each row, even if a branch guards
  // the value.
  const isGuarded = scope.isInTry || (scope.isInBranch && !isUsedByQuery(plan, scope));
  // Lambdas in lambdas, each with two or more variables of those around it, take the engine twice as long with each.
  const isCertain = scope.lambda === null && !scope.isInTry && !scope.isInBranch && alwaysEvaluated(body).has(plan.id);
  const isColumn = !isFallible(plan.value) || isCertain || (holdsSubquery(body, scope) && !isGuarded);
  if (isColumn && !dependsOnLambda(plan.value, scope)) {
    const column = scope.hoisted.add(value, {
      isVolatile: isVolatile(plan.value),
      holdsSubquery: readsSubquery(plan.value, scope),
    });
    return lowerBody(body, bindAll(scope, [[plan.id, { kind: 'column', sql: column, scale }]]));
  }
  const name = freshColumn(context, 'x');
  const inside: Scope = {
    ...bindAll(scope, [[plan.id, { kind: 'column', sql: name, scale }]]),
    lambda: new Set([...(scope.lambda ?? []), plan.id]),
  };
  return SQL`list_extract(list_transform([${value}], lambda ${name}: ${lowerBody(body, inside)}), 1)`;
}

function isUsedByQuery({ id, body }: Let, scope: Scope): boolean {
  return somePart(body, (part) => freeVariables(part).has(id) && needsSubquery(part, scope.variables));
}
