import type { Reduce } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import type { LoweringContext } from './lowering-context.ts';
import { freshName } from './lowering-context.ts';
import { lowerValue } from './lower-value.ts';
import type { Scope } from './scope.ts';
import { bindLambda } from './scope.ts';

/**
 * REDUCE; NULL of a NULL collection. The engine wants accumulator and element of one type: both travel in one struct, and
 * the start goes before the elements.
 */
export function lowerReduce(context: LoweringContext, plan: Reduce, scope: Scope): string {
  const { collection } = plan;
  if (collection.type.kind !== 'CollectionType') throw new Error('only a collection is reduced');
  const [accumulator, element] = [freshName(context, 'x'), freshName(context, 'x')];
  const accumulatorType = duckType(plan.start.type);
  const elementType = duckType(collection.type.element);
  const inside = bindLambda(scope, [
    [plan.accumulator, `${accumulator}.a`],
    [plan.element, `${element}.e`],
  ]);
  const start = `struct_pack(a := CAST(${lowerValue(context, plan.start, scope)} AS ${accumulatorType}), e := CAST(NULL AS ${elementType}))`;
  const wrapped = freshName(context, 'x');
  const elements = `list_transform(${lowerValue(context, collection, scope)}, lambda ${wrapped}: struct_pack(a := CAST(NULL AS ${accumulatorType}), e := ${wrapped}))`;
  const body = `struct_pack(a := CAST(${lowerValue(context, plan.body, inside)} AS ${accumulatorType}), e := CAST(NULL AS ${elementType}))`;
  const guard = collection.type.isNullable
    ? (sql: string, all: string): string => `CASE WHEN ${all} IS NOT NULL THEN ${sql} END`
    : (sql: string): string => sql;
  return guard(
    `struct_extract(list_reduce(list_concat([${start}], ${elements}), lambda ${accumulator}, ${element}: ${body}), 'a')`,
    `(${lowerValue(context, collection, scope)})`,
  );
}
