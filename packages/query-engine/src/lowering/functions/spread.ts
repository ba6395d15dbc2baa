import { memberOf, NOTHING, NULL, SQL, textLiteral, variableRef, verbatim, type Sql } from '../../sql/sql.ts';
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
      const finite = SQL`${verbatim(name)}(${rows.distinct}CASE WHEN isfinite(${x}) THEN ${x} END)${rows.suffix}`;
      const other = nanOf(SQL`count(${rows.distinct}${x})${rows.suffix}`, least);
      return SQL`CASE WHEN bool_and(isfinite(${x}))${rows.suffix} IS FALSE THEN ${other} ELSE ${finite} END`;
    },
    (list) => {
      const finite = SQL`list_filter(${list}, lambda e: isfinite(e))`;
      const count = SQL`list_count(${list})`;
      return SQL`CASE WHEN list_count(${finite}) < ${count} THEN ${nanOf(count, least)} ELSE list_aggregate(${finite}, ${textLiteral(name)}) END`;
    },
  );
}

/**
 * Covariance and correlation, likewise, of pairs without NULL. The engine returns NaN for the correlation of constant
 * values, which is undefined.
 */
export function spreadOfPairs(name: 'covar_samp' | 'covar_pop' | 'corr', least: 1 | 2): AggregateLowering {
  const known = (sql: Sql): Sql => (name === 'corr' ? SQL`nullif(${sql}, CAST('nan' AS DOUBLE))` : sql);
  return unordered(
    (args, rows) => {
      const [y = NULL, x = NULL] = args.map(({ sql }) => sql);
      const isFinite = SQL`isfinite(${y}) AND isfinite(${x})`;
      const isPair = SQL`${y} IS NOT NULL AND ${x} IS NOT NULL`;
      const finite = SQL`${verbatim(name)}(${rows.distinct}CASE WHEN ${isFinite} THEN ${y} END, CASE WHEN ${isFinite} THEN ${x} END)${rows.suffix}`;
      const other = nanOf(SQL`count(CASE WHEN ${isPair} THEN 1 END)${rows.suffix}`, least);
      return SQL`CASE WHEN bool_and(CASE WHEN ${isPair} THEN ${isFinite} END)${rows.suffix} IS FALSE THEN ${other} ELSE ${known(finite)} END`;
    },
    (list) => {
      const pairs = SQL`list_filter(${list}, lambda e: e.a0 IS NOT NULL AND e.a1 IS NOT NULL)`;
      return letExpression([pairs], (all) => {
        const side = (member: 'a0' | 'a1'): Sql => SQL`list_transform(${all}, lambda e: ${memberOf(variableRef('e'), member)})`;
        const isOdd = SQL`len(list_filter(${all}, lambda e: NOT isfinite(e.a0) OR NOT isfinite(e.a1))) > 0`;
        const value = letExpression([SQL`list_avg(${side('a0')})`, SQL`list_avg(${side('a1')})`], (middleY, middleX) => {
          const products = (one: 'a0' | 'a1', other: 'a0' | 'a1'): Sql => {
            const from = (pair: Sql, member: 'a0' | 'a1'): Sql => SQL`(${memberOf(pair, member)} - ${member === 'a0' ? middleY : middleX})`;
            return SQL`list_sum(${transformList(all, (pair) => SQL`${from(pair, one)} * ${from(pair, other)}`)})`;
          };
          const both = products('a0', 'a1');
          if (name === 'corr') return SQL`${both} / nullif(sqrt(${products('a0', 'a0')} * ${products('a1', 'a1')}), 0)`;
          return SQL`${both} / nullif(len(${all})${least === 2 ? SQL` - 1` : NOTHING}, 0)`;
        });
        return SQL`CASE WHEN ${isOdd} THEN ${nanOf(SQL`len(${all})`, least)} ELSE ${value} END`;
      });
    },
  );
}

function nanOf(count: Sql, least: 1 | 2): Sql {
  return SQL`CASE WHEN ${count} >= ${least} THEN CAST('nan' AS DOUBLE) END`;
}
