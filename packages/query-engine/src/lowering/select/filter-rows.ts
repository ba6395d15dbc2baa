import type { Plan, Select } from '@svc/query-language';
import { boundBySource } from '@svc/query-language';

import { conjuncts } from '../../analysis/conjuncts.ts';
import { dependsOnRow, rowVariables } from '../../analysis/correlation.ts';
import { isFallible } from '../../analysis/fallibility.ts';
import { isFallibleKey } from '../../analysis/join-key.ts';
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

/** The conditions of WHERE. */
interface SplitWhere {
  /** Conditions that are applied before the key. */
  readonly before: readonly Plan[];
  /** The sides of an equality that is computed as a key: of the rows, and of the row around. */
  readonly key: { readonly own: Plan; readonly outer: Plan } | null;
  readonly others: readonly Plan[];
}

/**
 * Applies WHERE of a SELECT. Each side of a correlated key is computed beside its rows: the engine decorrelates by an equality of
 * columns; by a filter that can fail it would compare all pairs of rows.
 */
export function filterRows(context: LoweringContext, rows: Rows, plan: Select, outer: Scope): Rows {
  const { before, key, others } = splitWhere(plan, outer);
  if (key === null) return keepWhere(context, rows, others);
  const lower = (side: Plan, scope: Scope): Sql => comparedAs([key.own, key.outer], (value) => context.lowerValue(value, scope))(side);
  const { rows: prepared, result: own } = onRows(context, keepWhere(context, rows, before), (scope) => lower(key.own, scope));
  const column = columnFor(context, prepared, own, 'c');
  const around = lower(key.outer, { ...outer, isInBranch: false });
  const isKey = lowerComparison('=', column, isFallible(key.outer) ? outer.hoisted.add(around) : around);
  const keyed = withColumns(prepared, [{ name: column, sql: own }]);
  // Without NULLs, for which the engine may lose rows. It joins the rows around below a projection, where a key that can fail would
  // stay above the join; a join stays as it is.
  const present = subquery(select({ takesAll: true, from: keyed.from, where: [SQL`${column} IS NOT NULL`] }));
  const from = SQL`${present} CROSS JOIN (SELECT TRUE AS ${freshColumn(context, 'c')})`;
  return keepWhere(context, { ...keyed, from: subquery(select({ takesAll: true, from, where: [isKey] })) }, others, true);
}

/**
 * Splits WHERE into its conditions, where the first one that can fail is a key: an equality between the rows of the SELECT and the row
 * around, `WHERE b.id = a.id + 1`.
 */
export function splitWhere({ where, sources }: Select, outer: Scope): SplitWhere {
  const conditions = where === null ? [] : conjuncts(where);
  const none = { before: [], key: null, others: conditions };
  const index = conditions.findIndex(isFallible);
  const [before, key, others] = [conditions.slice(0, index), conditions[index], conditions.slice(index + 1)];
  const sides = { left: rowVariables(outer), right: new Set(sources.flatMap(boundBySource)) };
  if (key === undefined || outer.lambda !== null || !isFallibleKey(key, sides) || holdsSubquery(key, outer)) return none;
  const isOfRow = (part: Plan): boolean => dependsOnRow(part, outer);
  if (sources.some(({ collection }) => isOfRow(collection)) || before.some(isOfRow)) return none;
  const [own, around] = usesAny(key.left, sides.left) ? [key.right, key.left] : [key.left, key.right];
  return { before, key: { own, outer: around }, others };
}
