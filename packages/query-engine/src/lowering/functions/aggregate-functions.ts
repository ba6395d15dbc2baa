import { duckType } from '../../representation/duck-type.ts';
import type { AggregateLowering, AggregateRows, CallContext, LoweredArgument, SortDirection } from '../lowering-types.ts';
import { bindOnce, freshVariable, transformList } from '../scalars/bind-once.ts';
import { comparable, comparesAsMeant, holdsInterval } from '../scalars/comparable.ts';
import { divideDecimals } from '../scalars/decimal-arithmetic.ts';
import { isDecimal } from '../scalars/number-types.ts';
import { extremeElement, sortedBy } from '../scalars/sort-key.ts';
import { joinTexts, withoutNull } from './function-parts.ts';
import { counted, mostFrequent, mostFrequentInterval } from './most-frequent.ts';

type OverRows = AggregateLowering['overRows'];
type OverList = AggregateLowering['overList'];

/** How each aggregate is said in SQL, by its upper-case name. Of no values it is NULL, but for those that count or collect. */
export const AGGREGATE_LOWERINGS: Readonly<Record<string, AggregateLowering>> = {
  COUNT: unordered(
    (args, rows) => (args.length === 0 ? `count(*)${rows.suffix}` : `count(${inner(args, rows)})${rows.suffix}`),
    (list, args) => (args.length === 0 ? `len(${list})` : `CAST(list_count(${list}) AS BIGINT)`),
  ),
  COUNT_DISTINCT: unordered(
    (args, rows) => `count(DISTINCT ${first(args)})${rows.suffix}`,
    // The engine takes two NaN for different, but not within a struct.
    (list, [counted]) => {
      const value = (e: string): string => (counted === undefined ? e : comparable(e, counted.type));
      return `len(list_distinct(${transformList(withoutNull(list), (e) => `struct_pack(v := ${value(e)})`)}))`;
    },
  ),
  APPROX_COUNT_DISTINCT: same('approx_count_distinct'),
  SUM: unordered(
    (args, rows, call) => sumAs(call, `sum(${inner(args, rows)})${rows.suffix}`),
    (list, _, call) => sumAs(call, `list_aggregate(${list}, 'sum')`),
  ),
  AVG: unordered(
    (args, rows, call) =>
      isDecimal(call.type)
        ? decimalMean(`sum(${inner(args, rows)})${rows.suffix}`, `count(${inner(args, rows)})${rows.suffix}`, call)
        : `avg(${inner(args, rows)})${rows.suffix}`,
    (list, _, call) =>
      isDecimal(call.type) ? decimalMean(`list_aggregate(${list}, 'sum')`, `list_count(${list})`, call) : `list_aggregate(${list}, 'avg')`,
  ),
  MIN: extreme('min', 'least'),
  MAX: extreme('max', 'greatest'),
  STDDEV: spread('stddev_samp'),
  VARIANCE: spread('var_samp'),
  MEDIAN: same('median'),
  QUANTILE: unordered(
    (args, rows, call) => quantile(args, call, (fraction) => `quantile_cont(${rows.distinct}${first(args)}, ${fraction})${rows.suffix}`),
    (list, args, call) =>
      quantile(args, call, (fraction) => `list_aggregate(${transformList(list, (e) => `${e}.a0`)}, 'quantile_cont', ${fraction})`),
  ),
  MODE: unordered(
    (args, rows, call) =>
      holdsInterval(call.type)
        ? mostFrequentInterval(`list(${inner(args, rows)})${rows.suffix}`, call.type)
        : mostFrequent(`histogram(${rows.distinct}${counted(first(args), call.type)})${rows.suffix}`, call.type),
    (list, _, call) =>
      holdsInterval(call.type)
        ? mostFrequentInterval(list, call.type)
        : mostFrequent(`list_aggregate(${transformList(list, (e) => counted(e, call.type))}, 'histogram')`, call.type),
  ),
  BOOL_AND: same('bool_and'),
  BOOL_OR: same('bool_or'),
  ARG_MIN: unordered(beside('arg_min'), (list, args) => besideExtreme(list, args, 'ARG_MIN')),
  ARG_MAX: unordered(beside('arg_max'), (list, args) => besideExtreme(list, args, 'ARG_MAX')),
  COLLECT: ordered(
    (args, rows, call) => `coalesce(${collect(args, rows)}, CAST([] AS ${duckType(call.type)}))`,
    (list, _, call) => `CAST(${list} AS ${duckType(call.type)})`,
  ),
  /** No function of the language: the first elements of what COLLECT gives, as many as the second argument says. */
  COLLECT_FIRST: ordered(
    ([value, count], rows, call) => {
      const firsts = `arg_min(struct_pack(v := ${value?.sql ?? 'NULL'}), ${orderOf(rows)}, ${count?.sql ?? '0'})${rows.suffix}`;
      return `coalesce(${transformList(firsts, (e) => `${e}.v`)}, CAST([] AS ${duckType(call.type)}))`;
    },
    () => {
      throw new Error('COLLECT_FIRST is of rows.');
    },
  ),
  STRING_AGG: ordered(stringAgg, stringAggOverList),
  FIRST: ordered(
    (args, rows) => `arg_min(${first(args)}, ${orderOf(rows)})${rows.suffix}`,
    (list) => `list_extract(${withoutNull(list)}, 1)`,
  ),
  LAST: ordered(
    (args, rows) => `arg_max(${first(args)}, ${orderOf(rows)})${rows.suffix}`,
    (list) => `list_extract(${withoutNull(list)}, -1)`,
  ),
};

function unordered(overRows: OverRows, overList: OverList): AggregateLowering {
  return { isOrdered: false, overRows, overList };
}

function ordered(overRows: OverRows, overList: OverList): AggregateLowering {
  return { isOrdered: true, overRows, overList };
}

/** One function of the engine that means the same. */
function same(name: string): AggregateLowering {
  return unordered(plain(name), (list) => `list_aggregate(${list}, '${name}')`);
}

/** The engine fails over values that are not finite, where IEEE arithmetic has NaN. One value alone, whichever it is, is no sample. */
function spread(name: string): AggregateLowering {
  const unlessOne = (count: string): string => `CASE WHEN ${count} > 1 THEN CAST('nan' AS DOUBLE) END`;
  return unordered(
    (args, rows) => {
      const x = first(args);
      const finite = `${name}(${rows.distinct}CASE WHEN isfinite(${x}) THEN ${x} END)${rows.suffix}`;
      const other = unlessOne(`count(${rows.distinct}${x})${rows.suffix}`);
      return `CASE WHEN bool_and(isfinite(${x}))${rows.suffix} IS FALSE THEN ${other} ELSE ${finite} END`;
    },
    (list) => {
      const element = freshVariable([list]);
      const finite = `list_filter(${list}, lambda ${element}: isfinite(${element}))`;
      const count = `list_count(${list})`;
      return `CASE WHEN list_count(${finite}) < ${count} THEN ${unlessOne(count)} ELSE list_aggregate(${finite}, '${name}') END`;
    },
  );
}

function plain(name: string): OverRows {
  return (args, rows) => `${name}(${inner(args, rows)})${rows.suffix}`;
}

/** The sum in the type of the result, where it fits: of integers the engine makes 128 bits, of decimals it lets 39 digits pass. */
export function sumAs(call: Pick<CallContext, 'type' | 'castLine'>, sum: string): string {
  const exact = isDecimal(call.type) ? `CAST(${sum} AS VARCHAR)` : sum;
  return call.castLine(`CAST(${exact} AS ${duckType(call.type)})`);
}

function first(args: readonly LoweredArgument[]): string {
  return args[0]?.sql ?? 'NULL';
}

function inner(args: readonly LoweredArgument[], rows: AggregateRows): string {
  return `${rows.distinct}${args.map((arg) => arg.sql).join(', ')}`;
}

/** The exact mean: the engine would give a double. */
export function decimalMean(sum: string, count: string, call: CallContext): string {
  return divideDecimals(
    { sql: sum, scale: 18 },
    { sql: `CAST(nullif(${count}, 0) AS DECIMAL(38,0))`, scale: 0 },
    { overflow: call.raise('decimal overflow', call.type), byZero: call.raise('/ by zero', call.type) },
  );
}

/** The engine wants the fraction as a constant, which the checker has seen to be from 0 to 1. */
function quantile(args: readonly LoweredArgument[], call: CallContext, value: (fraction: number) => string): string {
  const fraction = args[1]?.constant;
  if (fraction === null) return `CAST(NULL AS ${duckType(call.type)})`;
  return `CAST(${value(Number(fraction))} AS ${duckType(call.type)})`;
}

/** The least or the greatest value. In what holds an interval the engine goes by months, then days. */
function extreme(name: 'min' | 'max', which: 'least' | 'greatest'): AggregateLowering {
  return unordered(
    (args, rows, call) => {
      const value = first(args);
      if (comparesAsMeant(call.type)) return `${name}(${inner(args, rows)})${rows.suffix}`;
      return `arg_${name}(${rows.distinct}${value}, ${comparable(value, call.type)})${rows.suffix}`;
    },
    (list, _, call) => (comparesAsMeant(call.type) ? `list_aggregate(${list}, '${name}')` : extremeElement(list, call.type, which)),
  );
}

/** The value beside the least or the greatest. */
function beside(name: 'arg_min' | 'arg_max'): OverRows {
  return ([value, by], rows) => {
    if (value === undefined || by === undefined) throw new Error(`${name} needs a value and what it is chosen by.`);
    return `${name}(${rows.distinct}${value.sql}, ${comparable(by.sql, by.type)})${rows.suffix}`;
  };
}

/** The value beside the least or greatest; the first of equals. Pairs with NULL do not count. */
function besideExtreme(list: string, [, by]: readonly LoweredArgument[], name: 'ARG_MIN' | 'ARG_MAX'): string {
  const element = freshVariable([list]);
  const pairs = `list_filter(${list}, lambda ${element}: ${element}.a0 IS NOT NULL AND ${element}.a1 IS NOT NULL)`;
  const key = by === undefined ? `${element}.a1` : comparable(`${element}.a1`, by.type);
  const position = name === 'ARG_MIN' ? `${element}_i` : `-${element}_i`;
  const sorted = `list_sort(list_transform(${pairs}, lambda ${element}, ${element}_i: struct_pack(k := ${key}, i := ${position}, v := ${element}.a0)))`;
  return `struct_extract(list_extract(${sorted}, ${name === 'ARG_MIN' ? 1 : -1}), 'v')`;
}

const ASCENDING: SortDirection = { isDescending: false, areNullsFirst: true };

/** The values as a list: sorted after grouping, which with many groups is cheaper than an ordered aggregate. */
function collect(args: readonly LoweredArgument[], rows: AggregateRows): string {
  const [value] = args;
  if (rows.distinct !== '' && value !== undefined)
    return sortedBy(`list(DISTINCT ${value.sql})${rows.suffix}`, value.type, rows.distinctOrder ?? ASCENDING);
  return transformList(`list_sort(list(struct_pack(n := ${orderOf(rows)}, v := ${first(args)}))${rows.suffix})`, (e) => `${e}.v`);
}

/** What the rows are ordered by, which an ordered aggregate is told. */
function orderOf({ orderKey }: AggregateRows): string {
  if (orderKey === null) throw new Error('The order of the rows is not known.');
  return orderKey;
}

/** The separator is a constant, or that of any row. */
function stringAgg(args: readonly LoweredArgument[], rows: AggregateRows, call: CallContext): string {
  const separator = separatorOf(args);
  const isConstant = typeof separator.constant === 'string';
  return joined(collect(args, rows), isConstant ? separator.sql : `any_value(${separator.sql})${rows.suffix}`, isConstant, call);
}

function stringAggOverList(list: string, args: readonly LoweredArgument[], call: CallContext): string {
  const separator = separatorOf(args);
  const texts = transformList(list, (e) => `${e}.a0`);
  if (typeof separator.constant === 'string') return joined(texts, separator.sql, true, call);
  return joined(texts, `list_extract(${transformList(list, (e) => `${e}.a1`)}, 1)`, false, call);
}

function separatorOf([, separator]: readonly LoweredArgument[]): LoweredArgument {
  if (separator === undefined) throw new Error('STRING_AGG needs a separator.');
  return separator;
}

/** As many bytes separators make of the texts of a group, which the engine itself counts. */
const MOST_BETWEEN = 67_108_864;

/** The texts of a list with a separator between them, which any of its rows has; NULL of no texts. */
export function joined(texts: string, separator: string, isConstant: boolean, call: CallContext): string {
  const tooLong = (list: string, by: string): string =>
    isConstant
      ? ''
      : `WHEN len(${list}) * strlen(${by}) > ${MOST_BETWEEN} THEN ${call.raise('STRING_AGG would make more than 64 MB', call.type)} `;
  return bindOnce(
    isConstant ? [texts] : [texts, separator],
    (list, by = separator) =>
      `CASE ${tooLong(list, by)}WHEN list_count(${list}) > 0 AND ${by} IS NOT NULL THEN ${joinTexts(list, by, isConstant)} END`,
  );
}
