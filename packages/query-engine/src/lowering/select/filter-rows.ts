import type { Comparison, Plan, Select } from '@svc/query-language';
import { boundBySource, isFallible } from '@svc/query-language';

import { conjuncts } from '../../analysis/conjuncts.ts';
import { dependsOnRow, rowVariables } from '../../analysis/correlation.ts';
import { leadingKeys } from '../../analysis/join-key.ts';
import { holdsSubquery } from '../../analysis/relational-analysis.ts';
import { usesAny } from '../../analysis/variables.ts';
import { select, subquery } from '../../sql/select.ts';
import { SQL, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';
import { comparedAs } from '../scalars/comparable.ts';
import { lowerComparison } from '../scalars/lower-comparison.ts';
import type { Scope } from '../scope.ts';
import { columnFor, keepWhere, onRows, withColumns, type Rows } from './rows.ts';

/** The sides of a comparison between the rows of a SELECT and the row around. */
interface CorrelatedKey {
  readonly comparison: Comparison;
  readonly own: 'left' | 'right';
}

/** The conditions of WHERE: those before the keys, the keys, and others. */
export interface SplitWhere {
  readonly before: readonly Plan[];
  readonly keys: readonly CorrelatedKey[];
  readonly others: readonly Plan[];
}

/**
 * Applies WHERE of a SELECT. Each side of a correlated key is computed beside its rows: the engine decorrelates by a comparison of
 * columns; by a filter that can fail it would compare all pairs of rows.
 */
export function filterRows(context: LoweringContext, rows: Rows, { before, keys, others }: SplitWhere, outer: Scope): Rows {
  if (keys.length === 0) return keepWhere(context, rows, others);
  const around = { ...outer, isInBranch: false };
  let keyed = keepWhere(context, rows, before);
  const columns: Sql[] = [];
  const where = keys.map(({ comparison: { operator, left, right }, own }) => {
    const lower = (side: Plan, scope: Scope): Sql => comparedAs([left, right], (value) => context.lowerValue(value, scope))(side);
    const ofRow = (side: Plan): Sql => {
      const value = lower(side, around);
      return isFallible(side) ? outer.hoisted.add(value) : value;
    };
    const { rows: prepared, result } = onRows(context, keyed, (scope) => lower(own === 'left' ? left : right, scope));
    const column = columnFor(context, prepared, result, 'c');
    keyed = withColumns(prepared, [{ name: column, sql: result }]);
    columns.push(column);
    return own === 'left' ? lowerComparison(operator, column, ofRow(right)) : lowerComparison(operator, ofRow(left), column);
  });
  // Without NULLs, for which the engine may lose rows. It joins the rows around below a projection, where a key that can fail would
  // stay above the join; a join stays as it is.
  const areThere = columns.map((column) => SQL`${column} IS NOT NULL`);
  const present = subquery(select({ takesAll: true, from: keyed.from, where: areThere }));
  const from = SQL`${present} CROSS JOIN (SELECT TRUE AS ${freshColumn(context, 'c')})`;
  return keepWhere(context, { ...keyed, from: subquery(select({ takesAll: true, from, where })) }, others, true);
}

/**
 * Splits WHERE into its conditions, where the first ones that can fail are keys: comparisons between the rows of the SELECT and the
 * row around, `WHERE b.id = a.id + 1`.
 */
export function splitWhere({ where, sources }: Select, outer: Scope): SplitWhere {
  const conditions = where === null ? [] : conjuncts(where);
  const none = { before: [], keys: [], others: conditions };
  const sides = { left: rowVariables(outer), right: new Set(sources.flatMap(boundBySource)) };
  const first = conditions.findIndex(isFallible);
  if (first < 0) return none;
  const [before, rest] = [conditions.slice(0, first), conditions.slice(first)];
  const keys = leadingKeys(rest, sides);
  if (outer.lambda !== null || keys.length === 0 || keys.some((key) => holdsSubquery(key, outer))) return none;
  const isOfRow = (part: Plan): boolean => dependsOnRow(part, outer);
  if (sources.some(({ collection }) => isOfRow(collection)) || before.some(isOfRow)) return none;
  const sided = keys.map((comparison): CorrelatedKey => ({ comparison, own: usesAny(comparison.left, sides.left) ? 'right' : 'left' }));
  return { before, keys: sided, others: rest.slice(keys.length) };
}
