import type { AggregateLowering } from '../lowering-types.ts';
import { freshVariable } from '../scalars/bind-once.ts';
import { first, unordered } from './aggregate-forms.ts';

/**
 * The engine fails over values that are not finite, where IEEE arithmetic has NaN. One value alone, whichever it is, is no sample.
 */
export function spread(name: string): AggregateLowering {
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
