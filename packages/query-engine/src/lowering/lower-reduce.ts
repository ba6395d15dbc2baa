import type { Reduce } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import type { LoweringContext } from './lowering-context.ts';
import { freshName } from './lowering-context.ts';
import { lowerValue } from './lower-value.ts';
import type { Scope } from './scope.ts';
import { bindLambda } from './scope.ts';

/** REDUCE; NULL of a NULL collection. The engine wants accumulator and element of one type: both travel in one struct. */
export function lowerReduce(context: LoweringContext, plan: Reduce, scope: Scope): string {
  const { collection } = plan;
  if (collection.type.kind !== 'CollectionType') throw new Error('only a collection is reduced');
  const [accumulator, element, wrapped] = [freshName(context, 'x'), freshName(context, 'x'), freshName(context, 'x')];
  const accumulatorType = duckType(plan.start.type);
  const elementType = duckType(collection.type.element);
  const inside = bindLambda(scope, [
    [plan.accumulator, `${accumulator}.a`],
    [plan.element, `${element}.e`],
  ]);
  const accumulated = (sql: string): string => `struct_pack(a := CAST(${sql} AS ${accumulatorType}), e := CAST(NULL AS ${elementType}))`;
  const elements = `list_transform(${lowerValue(context, collection, scope)}, lambda ${wrapped}: struct_pack(a := CAST(NULL AS ${accumulatorType}), e := ${wrapped}))`;
  const body = accumulated(lowerValue(context, plan.body, inside));
  const start = accumulated(lowerValue(context, plan.start, scope));
  return `struct_extract(list_reduce(${elements}, lambda ${accumulator}, ${element}: ${body}, ${start}), 'a')`;
}
