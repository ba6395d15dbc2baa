import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { memberNames } from '../../representation/member-names.ts';
import { castTo, columnRef, joinSql, SQL, verbatim, type Sql } from '../../sql/sql.ts';
import type { CallContext, FunctionLowering, LoweredArgument } from '../lowering-types.ts';
import { comparesAsMeant } from '../scalars/comparable.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { extremeElement, sortedBy } from '../scalars/sort-key.ts';
import { distinctElements } from './distinct-elements.ts';
import { direct, guarded, knownWhenRun, MAX_FOLDED, limitedOutput, typed, typeName, withoutNull } from './function-parts.ts';
import { decimalMean, sumAs } from './sums.ts';

/** Creates a lowering that depends on the element type of the first argument. */
function ofElements(lower: (list: Sql, element: Type, call: CallContext) => Sql): FunctionLowering {
  return ([collection], call) => {
    if (collection === undefined) throw new Error(`${call.functionName} needs a collection.`);
    return lower(collection.sql, elementOf(collection), call);
  };
}

function elementOf(collection: LoweredArgument): Type {
  return collection.type.kind === 'CollectionType' ? collection.type.element : collection.type;
}

/** Sums elements in the type of the result, since the sum of no elements is untyped; an overflow fails at the call. */
const sum = ofElements((list, _, call) => sumAs(call, SQL`list_sum(${castTo(list, `${duckType(call.type)}[]`)})`));

const mean = ofElements((list, _, call) => {
  const typedList = castTo(list, `${duckType(call.type)}[]`);
  if (typeName(call.type) !== 'decimal') return SQL`list_avg(${typedList})`;
  return letExpression([typedList], (x) => decimalMean(SQL`list_sum(${x})`, SQL`list_count(${x})`, call));
});

/** Returns the first or last element that is not NULL, with its type: the element of a constant NULL is untyped. */
const notNullAt = (position: 1 | -1): FunctionLowering =>
  ofElements((list, element, call) => {
    const present = element.isNullable ? withoutNull(list) : list;
    return castTo(SQL`list_extract(${present}, ${position})`, duckType(call.type));
  });

const distinct = ofElements((list, element) => distinctElements(list, element, 'rows'));

const sort = ofElements((list, element, call) =>
  castTo(sortedBy(list, element, { isDescending: false, areNullsFirst: true }), duckType(call.type)),
);

const extreme = (name: 'min' | 'max', which: 'least' | 'greatest'): FunctionLowering =>
  ofElements((list, element) =>
    comparesAsMeant(element) ? SQL`${verbatim(`list_${name}`)}(${list})` : extremeElement(list, element, which),
  );

/** The element at a position from 0; NULL outside. */
const get = guarded((_, list, index) => SQL`CASE WHEN ${index} BETWEEN 0 AND 2147483646 THEN list_extract(${list}, ${index} + 1) END`);

const inLength = (n: Sql): Sql => SQL`least(greatest(${n}, 0), 2147483646)`;

const range: FunctionLowering = (args, call) =>
  guarded((_, from, to, step) => {
    const isLonger = (than: number): Sql =>
      SQL`sign(${step}) * (CAST(${to} AS HUGEINT) - ${from}) > ${than} * abs(CAST(${step} AS HUGEINT))`;
    const made = SQL`range(CAST(${knownWhenRun(call, from, isLonger(MAX_FOLDED))} AS BIGINT), CAST(${to} AS BIGINT), CAST(${step} AS BIGINT))`;
    return SQL`CASE WHEN ${step} = 0 THEN ${call.raise('a step must not be zero', call.type)} ELSE ${limitedOutput(call, 'elements', isLonger, made)} END`;
  })(args, call);

/** Records of the elements at each position, as many as the shortest collection has. */
const zip: FunctionLowering = (args, call) =>
  guarded((_, ...lists) => {
    if (call.type.kind !== 'CollectionType' || call.type.element.kind !== 'RecordType')
      throw new Error('ZIP gives a collection of records');
    const names = memberNames(call.type.element.fields);
    const length = SQL`least(${joinSql(lists.map((list) => SQL`len(${list})`))})`;
    return transformList(
      SQL`range(1, ${length} + 1)`,
      (i) => SQL`struct_pack(${joinSql(lists.map((list, n) => SQL`${columnRef(names[n] ?? '')} := list_extract(${list}, ${i})`))})`,
    );
  })(args, call);

/** Lowerings of collection functions. The checker expands those that take a function. */
export const COLLECTION_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  CCOUNT: typed((list) => SQL`list_count(${list})`),
  CSUM: sum,
  CAVG: mean,
  CMIN: extreme('min', 'least'),
  CMAX: extreme('max', 'greatest'),
  CFIRST: notNullAt(1),
  CLAST: notNullAt(-1),
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
