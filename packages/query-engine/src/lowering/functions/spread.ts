import type { AggregateLowering } from '../lowering-types.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { first, unordered } from './aggregate-forms.ts';

/**
 * Standard deviation and variance. The engine fails for infinities and NaN, for which IEEE arithmetic yields NaN; fewer than
 * `least` values have none.
 */
export function spread(name: string, least: 1 | 2): AggregateLowering {
  return unordered(
    (args, rows) => {
      const x = first(args);
      const finite = `${name}(${rows.distinct}CASE WHEN isfinite(${x}) THEN ${x} END)${rows.suffix}`;
      const other = nanOf(`count(${rows.distinct}${x})${rows.suffix}`, least);
      return `CASE WHEN bool_and(isfinite(${x}))${rows.suffix} IS FALSE THEN ${other} ELSE ${finite} END`;
    },
    (list) => {
      const finite = `list_filter(${list}, lambda e: isfinite(e))`;
      const count = `list_count(${list})`;
      return `CASE WHEN list_count(${finite}) < ${count} THEN ${nanOf(count, least)} ELSE list_aggregate(${finite}, '${name}') END`;
    },
  );
}

/**
 * Covariance and correlation, likewise, of pairs without NULL. The engine returns NaN for the correlation of constant
 * values, which is undefined.
 */
export function spreadOfPairs(name: 'covar_samp' | 'covar_pop' | 'corr', least: 1 | 2): AggregateLowering {
  const known = (sql: string): string => (name === 'corr' ? `nullif(${sql}, CAST('nan' AS DOUBLE))` : sql);
  return unordered(
    (args, rows) => {
      const [y = 'NULL', x = 'NULL'] = args.map(({ sql }) => sql);
      const isFinite = `isfinite(${y}) AND isfinite(${x})`;
      const isPair = `${y} IS NOT NULL AND ${x} IS NOT NULL`;
      const finite = `${name}(${rows.distinct}CASE WHEN ${isFinite} THEN ${y} END, CASE WHEN ${isFinite} THEN ${x} END)${rows.suffix}`;
      const other = nanOf(`count(CASE WHEN ${isPair} THEN 1 END)${rows.suffix}`, least);
      return `CASE WHEN bool_and(CASE WHEN ${isPair} THEN ${isFinite} END)${rows.suffix} IS FALSE THEN ${other} ELSE ${known(finite)} END`;
    },
    (list) => {
      const pairs = `list_filter(${list}, lambda e: e.a0 IS NOT NULL AND e.a1 IS NOT NULL)`;
      return letExpression([pairs], (all) => {
        const side = (member: 'a0' | 'a1'): string => `list_transform(${all}, lambda e: e.${member})`;
        const isOdd = `len(list_filter(${all}, lambda e: NOT isfinite(e.a0) OR NOT isfinite(e.a1))) > 0`;
        const value = letExpression([`list_avg(${side('a0')})`, `list_avg(${side('a1')})`], (middleY, middleX) => {
          const products = (one: 'a0' | 'a1', other: 'a0' | 'a1'): string => {
            const from = (pair: string, member: 'a0' | 'a1'): string => `(${pair}.${member} - ${member === 'a0' ? middleY : middleX})`;
            return `list_sum(${transformList(all, (pair) => `${from(pair, one)} * ${from(pair, other)}`)})`;
          };
          const both = products('a0', 'a1');
          if (name === 'corr') return `${both} / nullif(sqrt(${products('a0', 'a0')} * ${products('a1', 'a1')}), 0)`;
          return `${both} / nullif(len(${all})${least === 2 ? ' - 1' : ''}, 0)`;
        });
        return `CASE WHEN ${isOdd} THEN ${nanOf(`len(${all})`, least)} ELSE ${value} END`;
      });
    },
  );
}

function nanOf(count: string, least: 1 | 2): string {
  return `CASE WHEN ${count} >= ${least} THEN CAST('nan' AS DOUBLE) END`;
}
