import type { Call, In, Plan } from '@svc/query-language';
import { isFallible } from '@svc/query-language';

import { isGuardable, isRelational } from '../analysis/relational-analysis.ts';
import { isVolatile } from '../analysis/volatility.ts';
import { joinSql, SQL, type Sql } from '../sql/sql.ts';
import { collectionRelation } from './collection-value.ts';
import type { LoweringContext } from './lowering-context.ts';
import { comparedAs, contains } from './scalars/comparable.ts';
import { letExpression } from './scalars/let-expression.ts';
import { inTry, type Scope } from './scope.ts';
import { trySql } from './try-sql.ts';

/** IN with the three values of SQL. */
export function lowerIn(context: LoweringContext, plan: In, scope: Scope): Sql {
  const { collection, operand } = plan;
  const value = (part: In['operand']): Sql => context.lowerValue(part, scope);
  if (collection.kind === 'CollectionLiteral' && collection.elements.length > 0) {
    const compared = comparedAs([operand, ...collection.elements], value);
    return SQL`(${compared(operand)} IN (${joinSql(collection.elements.map(compared))}))`;
  }
  if (scope.lambda === null && !collection.type.isNullable && isRelational(collection, scope.variables)) {
    const rows = collectionRelation(context, collection, scope);
    if (!scope.isInBranch || !isFallible(operand)) return SQL`(${value(operand)} IN (${rows}))`;
    if (isGuardable(operand, scope)) return SQL`CASE ${guardedOperand(context, operand, scope, (sql) => SQL`${sql} IN (${rows})`)} END`;
  }
  const mayHoldNull = collection.type.kind === 'CollectionType' && collection.type.element.isNullable;
  const isNullable = operand.type.isNullable || collection.type.isNullable || mayHoldNull;
  return letExpression([value(collection), value(operand)], (list, element) => {
    const isFound = contains(list, element, operand.type);
    if (!isNullable) return isFound;
    return SQL`CASE WHEN ${list} IS NULL THEN NULL WHEN len(${list}) = 0 THEN FALSE WHEN ${element} IS NULL THEN NULL WHEN ${isFound} THEN TRUE
      WHEN len(${list}) > list_count(${list}) THEN NULL ELSE FALSE END`;
  });
}

/** EXISTS of a relation's rows. */
export function lowerExists(context: LoweringContext, { arguments: [collection] }: Call, scope: Scope): Sql {
  if (collection === undefined) throw new Error('EXISTS takes a collection');
  return SQL`EXISTS (${collectionRelation(context, collection, scope)})`;
}

/** The engine joins by the operand on all rows: it is NULL if it fails there, and evaluated again in a selected branch that needs it. */
function guardedOperand(context: LoweringContext, operand: Plan, scope: Scope, isFound: (sql: Sql) => Sql): Sql {
  const silent = context.lowerValue(operand, inTry(scope));
  const tried = scope.hoisted.add(trySql(SQL`struct_pack(v := ${silent})`, scope), { isVolatile: isVolatile(operand) });
  return SQL`WHEN ${tried} IS NULL THEN ${context.lowerValue(operand, scope)} IS NULL ELSE ${isFound(SQL`struct_extract(${tried}, 'v')`)}`;
}
