import type { AggregateLowering, CallContext, LoweredArgument } from '../lowering-types.ts';
import { bindOnce, freshVariable } from '../scalars/bind-once.ts';
import { first, ofDistinctList, unordered } from './aggregate-forms.ts';

const FINITE = (x: string): string => `isfinite(${x})`;

/**
 * The engine fails over values that are not finite, where IEEE arithmetic has NaN. One value alone, whichever it is, is no sample.
 * Only values that are `kept` are given to it.
 */
export function spread(name: string, kept = FINITE): AggregateLowering {
  const unlessOne = (count: string): string => `CASE WHEN ${count} > 1 THEN CAST('nan' AS DOUBLE) END`;
  return unordered(
    (args, rows) => {
      const x = first(args);
      const finite = `${name}(${rows.distinct}CASE WHEN ${kept(x)} THEN ${x} END)${rows.suffix}`;
      const other = unlessOne(`count(${rows.distinct}${x})${rows.suffix}`);
      return `CASE WHEN bool_and(isfinite(${x}))${rows.suffix} IS FALSE THEN ${other} ELSE ${finite} END`;
    },
    (list) => {
      const element = freshVariable([list]);
      const finite = `list_filter(${list}, lambda ${element}: isfinite(${element}))`;
      const count = `list_count(${list})`;
      const values = kept === FINITE ? finite : `list_filter(${list}, lambda ${element}: ${kept(element)})`;
      return `CASE WHEN list_count(${finite}) < ${count} THEN ${unlessOne(count)} ELSE list_aggregate(${values}, '${name}') END`;
    },
  );
}

/** The squares of such values are no doubles, in which the engine fails. */
const isLarge = (x: string): string => `abs(${x}) >= 1e145`;
const isSmall = (x: string): string => `abs(${x}) < 1e145`;
const SMALLER = `power(2.0::DOUBLE, -600)`;

/** What cannot fail of STDDEV and VARIANCE: `r` without large values, `l` whether there are some, and all are finite, `v` the variance of all as small ones. */
export function spreadParts(name: string): AggregateLowering {
  const { overRows, overList } = spread(name, isSmall);
  const ofList: AggregateLowering['overList'] = (list, args, call) => {
    const e = freshVariable([list]);
    const isSome = `len(list_filter(${list}, lambda ${e}: ${isLarge(e)})) > 0 AND len(list_filter(${list}, lambda ${e}: NOT isfinite(${e}))) = 0`;
    const small = `list_transform(list_filter(${list}, lambda ${e}: isfinite(${e})), lambda ${e}: ${e} * ${SMALLER})`;
    return `struct_pack(r := ${overList(list, args, call)}, l := ${isSome}, v := list_aggregate(${small}, 'var_samp'))`;
  };
  return unordered((args, rows, call) => {
    if (rows.distinct !== '') return ofDistinctList(args, rows, (list) => ofList(list, args, call));
    const x = first(args);
    const isSome = `bool_or(${isLarge(x)})${rows.suffix} AND bool_and(isfinite(${x}))${rows.suffix}`;
    const variance = `var_samp(CASE WHEN isfinite(${x}) THEN ${x} * ${SMALLER} END)${rows.suffix}`;
    return `struct_pack(r := ${overRows(args, rows, call)}, l := ${isSome}, v := ${variance})`;
  }, ofList);
}

/** STDDEV or VARIANCE of its parts: a variance that is no double fails here. */
export function spreadOfParts([parts]: readonly LoweredArgument[], call: CallContext): string {
  return bindOnce([parts?.sql ?? 'NULL'], (p) => {
    const variance = `${p}.v / ${SMALLER} / ${SMALLER}`;
    const result = call.functionName === 'STDDEV_OF_PARTS' ? `sqrt(${variance})` : variance;
    const large = `CASE WHEN isfinite(${variance}) THEN ${result} ELSE ${call.raise('the result is out of range', call.type)} END`;
    return `CASE WHEN ${p}.l IS TRUE AND ${p}.v IS NOT NULL THEN ${large} ELSE ${p}.r END`;
  });
}
