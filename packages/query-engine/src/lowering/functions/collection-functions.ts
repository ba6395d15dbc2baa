import type { Type } from '@svc/query-language';
import { ownValue } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, joinSql, NULL, SQL, type Sql } from '../../sql/sql.ts';
import type { CallContext, FunctionLowering } from '../lowering-types.ts';
import { transformList } from '../scalars/let-expression.ts';
import { packRecord } from '../scalars/pack-record.ts';
import { sortedBy } from '../scalars/sort-key.ts';
import { AGGREGATE_LOWERINGS } from './aggregate-functions.ts';
import { distinctElements } from './distinct-elements.ts';
import { direct, guarded, knownWhenRun, MAX_FOLDED, limitedOutput, typed } from './function-parts.ts';

/** Creates a lowering that depends on the element type of the first argument. */
function ofElements(lower: (list: Sql, element: Type, call: CallContext) => Sql): FunctionLowering {
  return ([collection], call) => {
    if (collection === undefined) throw new Error(`${call.functionName} needs a collection.`);
    return lower(collection.sql, collection.type.kind === 'CollectionType' ? collection.type.element : collection.type, call);
  };
}

/** An aggregate of the elements, whose form over lists uses a single argument once; NULL for a NULL collection. */
function aggregateOf(name: string, prepare: (list: Sql, call: CallContext) => Sql = (list) => list): FunctionLowering {
  return ofElements((list, element, call) => {
    const aggregate = ownValue(AGGREGATE_LOWERINGS, name);
    if (aggregate === undefined) throw new Error(`${name} is no aggregate`);
    return aggregate.overList(prepare(list, call), [{ sql: NULL, type: element, constant: undefined }], call);
  });
}

/** The elements in the type of the result: those of an empty collection have none. */
const asResult = (list: Sql, { type }: CallContext): Sql => castTo(list, `${duckType(type)}[]`);

const distinct = ofElements((list, element) => distinctElements(list, element, 'rows'));

const sort = ofElements((list, element, call) =>
  castTo(sortedBy(list, element, { isDescending: false, areNullsFirst: true }), duckType(call.type)),
);

/** The element at a position from 0; NULL outside. */
const get = guarded((_, list, index) => SQL`CASE WHEN ${index} BETWEEN 0 AND 2147483646 THEN list_extract(${list}, ${index} + 1) END`);

const inLength = (n: Sql): Sql => SQL`least(greatest(${n}, 0), 2147483646)`;

const range = guarded((call, from, to, step) => {
  const isLonger = (than: number): Sql => SQL`sign(${step}) * (CAST(${to} AS HUGEINT) - ${from}) > ${than} * abs(CAST(${step} AS HUGEINT))`;
  const made = SQL`range(CAST(${knownWhenRun(call, from, isLonger(MAX_FOLDED))} AS BIGINT), CAST(${to} AS BIGINT), CAST(${step} AS BIGINT))`;
  return SQL`CASE WHEN ${step} = 0 THEN ${call.raise('a step must not be zero', call.type)} ELSE ${limitedOutput(call, 'elements', isLonger, made)} END`;
});

/** Records of the elements at each position, as many as the shortest collection has. */
const zip = guarded(({ type }, ...lists) => {
  const record = type.kind === 'CollectionType' ? type.element : type;
  const length = SQL`least(${joinSql(lists.map((list) => SQL`len(${list})`))})`;
  return transformList(SQL`range(1, ${length} + 1)`, (i) =>
    packRecord(
      record,
      lists.map((list) => SQL`list_extract(${list}, ${i})`),
    ),
  );
});

/** Lowerings of collection functions. The checker expands those that take a function. */
export const COLLECTION_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  CCOUNT: aggregateOf('COUNT'),
  CSUM: aggregateOf('SUM', asResult),
  CAVG: aggregateOf('AVG', asResult),
  CMIN: aggregateOf('MIN'),
  CMAX: aggregateOf('MAX'),
  CFIRST: aggregateOf('FIRST'),
  CLAST: aggregateOf('LAST'),
  DISTINCT: distinct,
  EXISTS: direct((list) => SQL`(len(${list}) > 0)`),
  GET: get,
  TAKE: guarded((_, list, count) => SQL`list_slice(${list}, 1, ${inLength(count)})`),
  DROP: guarded((_, list, count) => SQL`list_slice(${list}, ${inLength(count)} + 1, len(${list}))`),
  FLATTEN: typed((list) => SQL`flatten(${list})`),
  SORT: sort,
  RANGE: range,
  ZIP: zip,
};
