import type { In } from '@svc/query-language';

import { canFail } from './can-fail.ts';
import { collectionRelation } from './collection-value.ts';
import type { LoweringContext } from './lowering-context.ts';
import { lowerValue } from './lower-value.ts';
import { isRelational } from './plan-form.ts';
import { bindOnce } from './scalars/bind-once.ts';
import { contains } from './scalars/comparable.ts';
import type { Scope } from './scope.ts';
import { guarded } from './scope.ts';

/** IN with the three values of SQL. */
export function lowerIn(context: LoweringContext, plan: In, scope: Scope): string {
  const { collection, operand } = plan;
  const value = (part: In['operand']): string => lowerValue(context, part, scope);
  if (collection.kind === 'CollectionLiteral' && collection.elements.length > 0)
    return `(${value(operand)} IN (${collection.elements.map(value).join(', ')}))`;
  if (scope.lambda === null && !scope.isInTry && !collection.type.isNullable && isRelational(collection, scope.variables)) {
    return `(${guarded(scope, value(operand), canFail(operand))} IN (${collectionRelation(context, collection, scope)}))`;
  }
  const mayHoldNull = collection.type.kind === 'CollectionType' && collection.type.element.isNullable;
  const isNullable = operand.type.isNullable || collection.type.isNullable || mayHoldNull;
  return bindOnce([value(collection), value(operand)], (list, element) => {
    const isFound = contains(list, element, operand.type);
    if (!isNullable) return isFound;
    return (
      `CASE WHEN ${list} IS NULL THEN NULL WHEN len(${list}) = 0 THEN FALSE WHEN ${element} IS NULL THEN NULL WHEN ${isFound} THEN TRUE` +
      ` WHEN len(${list}) > list_count(${list}) THEN NULL ELSE FALSE END`
    );
  });
}
