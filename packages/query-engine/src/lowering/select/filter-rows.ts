import type { Comparison, Plan, Select, VariableId } from '@svc/query-language';
import { boundBySource, isFallible } from '@svc/query-language';

import { conjuncts } from '../../analysis/conjuncts.ts';
import { dependsOnRow, rowVariables } from '../../analysis/correlation.ts';
import { isJoinKey, leadingKeys } from '../../analysis/join-key.ts';
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
  const ofOuter = rowVariables(outer);
  let keyed = keepWhere(context, rows, before);
  const columns: Sql[] = [];
  const where = keys.map(({ comparison: { operator, left, right }, own }) => {
    const lower = (side: Plan, scope: Scope): Sql => comparedAs([left, right], (value) => context.lowerValue(value, scope))(side);
    const ofRow = (side: Plan): Sql => {
      const value = lower(side, around);
      return isFallible(side) || isComputedOf(side, ofOuter) ? outer.hoisted.add(value) : value;
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

/** Returns whether a plan is a value computed of the row around, no column of it. */
function isComputedOf(plan: Plan, row: ReadonlySet<VariableId>): boolean {
  const isColumn = plan.kind === 'Variable' || (plan.kind === 'Field' && plan.target.kind === 'Variable');
  return !isColumn && usesAny(plan, row);
}

/**
 * Splits WHERE into its conditions, where keys are comparisons between the rows of the SELECT and the row around,
 * `WHERE b.id = a.id + 1`: those with a computed value of the row, and the first conditions that can fail.
 */
export function splitWhere({ where, sources }: Select, outer: Scope): SplitWhere {
  const conditions = where === null ? [] : conjuncts(where);
  const none = { before: [], keys: [], others: conditions };
  const sides = { left: rowVariables(outer), right: new Set(sources.flatMap(boundBySource)) };
  const firstFallible = conditions.findIndex(isFallible);
  const safe = firstFallible < 0 ? conditions : conditions.slice(0, firstFallible);
  const failing = leadingKeys(conditions.slice(safe.length), sides);
  const isComputed = (part: Plan): part is Comparison =>
    isJoinKey(part, sides) && [part.left, part.right].some((side) => isComputedOf(side, sides.left));
  const keys = [...safe.filter(isComputed), ...failing];
  if (outer.lambda !== null || keys.length === 0 || keys.some((key) => holdsSubquery(key, outer))) return none;
  const isOfRow = (part: Plan): boolean => dependsOnRow(part, outer);
  if (sources.some(({ collection }) => isOfRow(collection))) return none;
  const plain = safe.filter((part) => !isComputed(part));
  if (failing.length > 0 && plain.some(isOfRow)) return none;
  const sided = keys.map((comparison): CorrelatedKey => ({ comparison, own: usesAny(comparison.left, sides.left) ? 'right' : 'left' }));
  const rest = conditions.slice(safe.length + failing.length);
  // What guards a key that can fail stands before it.
  return failing.length > 0 ? { before: plain, keys: sided, others: rest } : { before: [], keys: sided, others: [...plain, ...rest] };
}
