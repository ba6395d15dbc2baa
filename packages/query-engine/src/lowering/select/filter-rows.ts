import type { Plan, Select } from '@svc/query-language';

import { conjuncts } from '../../analysis/conjuncts.ts';
import { dependsOnRow, rowVariables } from '../../analysis/correlation.ts';
import { isFallible } from '../../analysis/fallibility.ts';
import { isFallibleKey } from '../../analysis/join-key.ts';
import { holdsSubquery } from '../../analysis/relational-analysis.ts';
import { usesAny } from '../../analysis/variables.ts';
import { select, subquery } from '../../sql/select.ts';
import { SQL } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';
import { lowerComparison } from '../scalars/lower-comparison.ts';
import type { Scope } from '../scope.ts';
import { columnFor, keepWhere, onRows, withColumns, type Rows } from './rows.ts';

/** The conditions of WHERE. */
interface SplitWhere {
  /** The sides of an equality that is computed as a key: of the one table, and of the row around. */
  readonly key: { readonly own: Plan; readonly outer: Plan } | null;
  readonly others: readonly Plan[];
}

/**
 * Applies WHERE of a SELECT. Each side of a correlated key is computed beside its rows: the engine decorrelates by an equality of
 * columns; by a filter that can fail it would compare all pairs of rows.
 */
export function filterRows(context: LoweringContext, rows: Rows, plan: Select, outer: Scope): Rows {
  const { key, others } = splitWhere(plan, outer);
  if (key === null) return keepWhere(context, rows, others);
  const { rows: prepared, result: own } = onRows(context, rows, (scope) => context.lowerValue(key.own, scope));
  const column = columnFor(context, prepared, own, 'c');
  const around = context.lowerValue(key.outer, { ...outer, isInBranch: false });
  const where = [lowerComparison('=', column, isFallible(key.outer) ? outer.hoisted.add(around) : around)];
  const keyed = withColumns(prepared, [{ name: column, sql: own }]);
  // The engine joins the rows around below a projection, where a key that can fail would stay above the join; a join stays as it is.
  const from = SQL`${keyed.from} CROSS JOIN (SELECT TRUE AS ${freshColumn(context, 'c')})`;
  return keepWhere(context, { ...keyed, from: subquery(select({ takesAll: true, from, where })) }, others, true);
}

/**
 * Splits WHERE into its conditions; the first one is a correlated key if it is an equality that can fail between the one table of
 * the SELECT and the row around, `WHERE b.id = a.id + 1`.
 */
export function splitWhere({ where, sources }: Select, outer: Scope): SplitWhere {
  const conditions = where === null ? [] : conjuncts(where);
  const [[first, ...others], [source, ...more]] = [conditions, sources];
  const none = { key: null, others: conditions };
  if (first === undefined || source === undefined || more.length > 0 || outer.lambda !== null) return none;
  const around = rowVariables(outer);
  if (dependsOnRow(source.collection, outer) || !isFallibleKey(first, source, around) || holdsSubquery(first, outer)) return none;
  const { left, right } = first;
  return { key: usesAny(left, around) ? { own: right, outer: left } : { own: left, outer: right }, others };
}
