import type { Reduce } from '@svc/query-language';

import { fixedSize } from '../analysis/long-values.ts';
import { duckType } from '../representation/duck-type.ts';
import { castTo, memberOf, NULL, SQL, type Sql } from '../sql/sql.ts';
import type { LoweringContext } from './lowering-context.ts';
import { callContext, freshColumn } from './lowering-context.ts';
import { letExpression } from './scalars/let-expression.ts';
import { sizeSql } from './scalars/size-sql.ts';
import type { Scope } from './scope.ts';
import { bindLambda } from './scope.ts';

/** Maximum number of steps of a REDUCE, which cannot be interrupted. */
const MOST_STEPS = 1_000_000;

/** Maximum number of bytes that the steps of a REDUCE may copy, which cannot be interrupted. */
const MOST_COPIED = 4_000_000_000;

/** REDUCE; NULL for a NULL collection. The engine requires accumulator and element to have one type: both are members of one struct. */
export function lowerReduce(context: LoweringContext, plan: Reduce, scope: Scope): Sql {
  const { collection } = plan;
  if (collection.type.kind !== 'CollectionType') throw new Error('only a collection is reduced');
  const [accumulator, element, wrapped] = [freshColumn(context, 'x'), freshColumn(context, 'x'), freshColumn(context, 'x')];
  const accumulatorType = duckType(plan.start.type);
  const elementType = duckType(collection.type.element);
  // Its steps run for as many rows at once as the REDUCE does.
  const inside: Scope = {
    ...bindLambda(scope, [
      [plan.accumulator, memberOf(accumulator, 'a')],
      [plan.element, memberOf(element, 'e')],
    ]),
    isInElement: scope.isInElement,
  };
  const accumulated = (sql: Sql): Sql => SQL`struct_pack(a := ${castTo(sql, accumulatorType)}, e := ${castTo(NULL, elementType)})`;
  const body = accumulated(context.lowerValue(plan.body, inside));
  const start = accumulated(context.lowerValue(plan.start, scope));
  const reduced = (list: Sql, first: Sql, step: Sql): Sql => {
    const elements = SQL`list_transform(${list}, lambda ${wrapped}: struct_pack(a := ${castTo(NULL, accumulatorType)}, e := ${wrapped}))`;
    // The cast is for constant folding, in which a reduced NULL has no type.
    const last = SQL`list_reduce(${elements}, lambda ${accumulator}, ${element}: ${step}, ${first})`;
    return castTo(SQL`struct_extract(${last}, 'a')`, accumulatorType);
  };
  const list = context.lowerValue(collection, scope);
  const call = callContext(context, plan, 'REDUCE', scope);
  const tooMany = call.raise(`REDUCE would take more than ${MOST_STEPS} steps`, plan.type);
  const message = 'REDUCE would copy more than 4 GB: its steps are too many for a value that long';
  const tooLong = SQL`struct_pack(a := ${call.raise(message, plan.start.type)}, e := ${castTo(NULL, elementType)})`;
  const isTooLong = (all: Sql): Sql => SQL`(${sizeSql(memberOf(accumulator, 'a'), plan.start.type)}) * len(${all}) > ${MOST_COPIED}`;
  const isFixed = fixedSize(plan.start.type) !== null;
  const step = (all: Sql): Sql => (isFixed ? body : SQL`CASE WHEN ${isTooLong(all)} THEN ${tooLong} ELSE ${body} END`);
  // The start may contain subqueries, which are not allowed in a lambda.
  return letExpression(
    [list, start],
    (all, first) => SQL`CASE WHEN len(${all}) > ${MOST_STEPS} THEN ${tooMany} ELSE ${reduced(all, first, step(all))} END`,
  );
}
