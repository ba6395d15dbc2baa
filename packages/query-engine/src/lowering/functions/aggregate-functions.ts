import { holdsInterval } from '../../analysis/holds-primitive.ts';
import { isDecimal } from '../../analysis/number-types.ts';
import { duckType } from '../../representation/duck-type.ts';
import { COLLECT_FIRST } from '../../rewrite/top-n-per-group.ts';
import { castTo, memberOf, NULL, numberLiteral, SQL, textLiteral, verbatim, type Sql } from '../../sql/sql.ts';
import type { AggregateLowering, CallContext, LoweredArgument } from '../lowering-types.ts';
import { comparable, comparesAsMeant } from '../scalars/comparable.ts';
import { letExpression, transformIndexed, transformList } from '../scalars/let-expression.ts';
import { extremeElement } from '../scalars/sort-key.ts';
import { first, inner, ordered, same, uncounted, unordered, type OverRows } from './aggregate-forms.ts';
import { collect, orderOf, stringAgg, stringAggOverList } from './collected.ts';
import { typeName, withoutNull } from './function-parts.ts';
import { intervalMean, intervalSum, ofIntervals } from './interval-sums.ts';
import { counted, mostFrequent, mostFrequentInterval } from './most-frequent.ts';
import { spread, spreadOfPairs } from './spread.ts';
import { decimalMean, sumAs } from './sums.ts';

/** Lowerings of aggregates, by upper-case name. NULL for no values, except for those that count or collect. */
export const AGGREGATE_LOWERINGS: Readonly<Record<string, AggregateLowering>> = {
  COUNT: unordered(
    (args, rows, call) => countAs(call, SQL`count(${args.length === 0 ? SQL`*` : inner(args, rows)})${rows.suffix}`),
    (list, args, call) => countAs(call, args.length === 0 ? SQL`len(${list})` : SQL`CAST(list_count(${list}) AS BIGINT)`),
  ),
  COUNT_DISTINCT: unordered(
    (args, rows) => SQL`count(DISTINCT ${first(args)})${rows.suffix}`,
    // The engine considers two NaN different, except within a struct.
    (list, [counted]) => {
      const value = (e: Sql): Sql => (counted === undefined ? e : comparable(e, counted.type));
      return SQL`len(list_distinct(${transformList(withoutNull(list), (e) => SQL`struct_pack(v := ${value(e)})`)}))`;
    },
  ),
  APPROX_COUNT_DISTINCT: unordered(
    // Over no rows of a correlated subquery the engine returns NULL for all aggregates but its COUNT.
    (args, rows) => SQL`coalesce(approx_count_distinct(${inner(args, rows)})${rows.suffix}, 0)`,
    (list) => SQL`list_aggregate(${list}, 'approx_count_distinct')`,
  ),
  SUM: ofIntervals(
    intervalSum,
    unordered(
      (args, rows, call) => sumAs(call, SQL`sum(${inner(args, rows)})${rows.suffix}`),
      (list, _, call) => sumAs(call, SQL`list_aggregate(${list}, 'sum')`),
    ),
  ),
  AVG: ofIntervals(
    intervalMean,
    unordered(
      (args, rows, call) =>
        isDecimal(call.type)
          ? decimalMean(SQL`sum(${inner(args, rows)})${rows.suffix}`, SQL`count(${inner(args, rows)})${rows.suffix}`, call)
          : SQL`avg(${inner(args, rows)})${rows.suffix}`,
      (list, _, call) =>
        isDecimal(call.type)
          ? letExpression([list], (x) => decimalMean(SQL`list_aggregate(${x}, 'sum')`, SQL`list_count(${x})`, call))
          : SQL`list_aggregate(${list}, 'avg')`,
    ),
  ),
  MIN: extreme('min', 'least'),
  MAX: extreme('max', 'greatest'),
  STDDEV: spread('stddev_samp', 2),
  VARIANCE: spread('var_samp', 2),
  STDDEV_POP: spread('stddev_pop', 1),
  VAR_POP: spread('var_pop', 1),
  COVAR_SAMP: spreadOfPairs('covar_samp', 2),
  COVAR_POP: spreadOfPairs('covar_pop', 1),
  CORR: spreadOfPairs('corr', 2),
  MEDIAN: uncounted(same('median')),
  QUANTILE: uncounted(
    unordered(
      (args, rows, call) =>
        quantile(args, call, (fraction) => SQL`quantile_cont(${rows.distinct}${first(args)}, ${fraction})${rows.suffix}`),
      (list, args, call) =>
        quantile(
          args,
          call,
          (fraction) => SQL`list_aggregate(${transformList(list, (e) => memberOf(e, 'a0'))}, 'quantile_cont', ${fraction})`,
        ),
    ),
  ),
  MODE: uncounted(
    unordered(
      (args, rows, call) =>
        holdsInterval(call.type)
          ? mostFrequentInterval(SQL`list(${inner(args, rows)})${rows.suffix}`, call.type)
          : mostFrequent(SQL`histogram(${rows.distinct}${counted(first(args), call.type)})${rows.suffix}`, call.type),
      (list, _, call) =>
        holdsInterval(call.type)
          ? mostFrequentInterval(list, call.type)
          : mostFrequent(SQL`list_aggregate(${transformList(list, (e) => counted(e, call.type))}, 'histogram')`, call.type),
    ),
  ),
  BOOL_AND: same('bool_and'),
  BOOL_OR: same('bool_or'),
  ARG_MIN: unordered(beside('arg_min'), (list, args) => besideExtreme(list, args, 'ARG_MIN')),
  ARG_MAX: unordered(beside('arg_max'), (list, args) => besideExtreme(list, args, 'ARG_MAX')),
  COLLECT: ordered(
    (args, rows, call) => SQL`coalesce(${collect(args, rows)}, ${castTo(SQL`[]`, duckType(call.type))})`,
    (list, _, call) => castTo(list, duckType(call.type)),
  ),
  /** Internal: the first elements of COLLECT, up to the number in the second argument. */
  [COLLECT_FIRST]: ordered(
    ([value, count], rows, call) => {
      const firsts = SQL`arg_min(struct_pack(v := ${value?.sql ?? NULL}), ${orderOf(rows)}, ${count?.sql ?? numberLiteral(0)})${rows.suffix}`;
      return SQL`coalesce(${transformList(firsts, (e) => memberOf(e, 'v'))}, ${castTo(SQL`[]`, duckType(call.type))})`;
    },
    (list, [, count], call) => {
      const firsts = SQL`list_slice(${list}, 1, ${numberLiteral(String(count?.constant ?? 0))})`;
      return castTo(
        transformList(firsts, (e) => memberOf(e, 'a0')),
        duckType(call.type),
      );
    },
  ),
  STRING_AGG: ordered(stringAgg, stringAggOverList),
  FIRST: ordered(
    (args, rows) => SQL`arg_min(${first(args)}, ${orderOf(rows)})${rows.suffix}`,
    (list, _, call) => castTo(SQL`list_extract(${withoutNull(list)}, 1)`, duckType(call.type)),
  ),
  LAST: ordered(
    (args, rows) => SQL`arg_max(${first(args)}, ${orderOf(rows)})${rows.suffix}`,
    (list, _, call) => castTo(SQL`list_extract(${withoutNull(list)}, -1)`, duckType(call.type)),
  ),
};

/** The count of LEN over rows is an int. */
function countAs({ type }: CallContext, count: Sql): Sql {
  return typeName(type) === 'int' ? castTo(count, 'INTEGER') : count;
}

/** The engine requires a constant fraction, which the checker has verified to be from 0 to 1. */
function quantile(args: readonly LoweredArgument[], call: CallContext, value: (fraction: number) => Sql): Sql {
  const fraction = args[1]?.constant;
  if (fraction === null) return castTo(NULL, duckType(call.type));
  return castTo(value(Number(fraction)), duckType(call.type));
}

/** The least or the greatest value. For values with intervals, the engine compares months, then days. */
function extreme(name: 'min' | 'max', which: 'least' | 'greatest'): AggregateLowering {
  return unordered(
    (args, rows, call) => {
      const value = first(args);
      if (comparesAsMeant(call.type)) return SQL`${verbatim(name)}(${inner(args, rows)})${rows.suffix}`;
      return SQL`${verbatim(`arg_${name}`)}(${rows.distinct}${value}, ${comparable(value, call.type)})${rows.suffix}`;
    },
    (list, _, call) =>
      comparesAsMeant(call.type) ? SQL`list_aggregate(${list}, ${textLiteral(name)})` : extremeElement(list, call.type, which),
  );
}

/** Returns the value at the least or the greatest key. */
function beside(name: 'arg_min' | 'arg_max'): OverRows {
  return ([value, by], rows) => {
    if (value === undefined || by === undefined) throw new Error(`${name} needs a value and what it is chosen by.`);
    return SQL`${verbatim(name)}(${rows.distinct}${value.sql}, ${comparable(by.sql, by.type)})${rows.suffix}`;
  };
}

/** Returns the value at the least or greatest key; the first of ties. Pairs with NULL are skipped. */
function besideExtreme(list: Sql, [, by]: readonly LoweredArgument[], name: 'ARG_MIN' | 'ARG_MAX'): Sql {
  const pairs = SQL`list_filter(${list}, lambda e: e.a0 IS NOT NULL AND e.a1 IS NOT NULL)`;
  const keyed = transformIndexed(pairs, (e, i) => {
    const key = by === undefined ? memberOf(e, 'a1') : comparable(memberOf(e, 'a1'), by.type);
    return SQL`struct_pack(k := ${key}, i := ${name === 'ARG_MIN' ? i : SQL`-${i}`}, v := ${e}.a0)`;
  });
  const sorted = SQL`list_sort(${keyed})`;
  return SQL`struct_extract(list_extract(${sorted}, ${name === 'ARG_MIN' ? 1 : -1}), 'v')`;
}
