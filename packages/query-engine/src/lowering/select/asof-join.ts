import type { Plan, PlanSource } from '@svc/query-language';

import { conjuncts } from '../../analysis/conjuncts.ts';
import { lowerValue } from '../lower-value.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { sortable } from '../scalars/comparable.ts';
import { bindAll } from '../scope.ts';
import { onRows, withColumns, type Rows } from './rows.ts';

/**
 * Builds an ASOF JOIN on comparisons between columns of both sides, which are computed before. Each row is returned at most
 * once. `isOfRow`: within a correlated subquery.
 */
export function joinNearest(
  context: LoweringContext,
  left: Rows,
  right: Rows,
  { source, isOfRow }: { readonly source: PlanSource; readonly isOfRow: boolean },
): Rows {
  const conditions = (source.on === null ? [] : conjuncts(source.on)).map((condition) => {
    if (condition.kind !== 'Comparison') throw new Error('ON of ASOF JOIN is comparisons');
    return condition;
  });
  const lefts = withValues(
    context,
    left,
    conditions.map((condition) => condition.left),
  );
  const rights = withValues(
    context,
    right,
    conditions.map((condition) => condition.right),
  );
  const on = conditions.map(({ operator }, i) => `${lefts.names[i]} ${operator} ${rights.names[i]}`).join(' AND ');
  const word = source.join === 'asof-left' ? 'LEFT JOIN' : 'JOIN';
  const columns = new Set([...lefts.rows.columns, ...rights.rows.columns]);
  const joined = { columns, scope: bindAll(right.scope, left.scope.variables), keys: left.keys };
  if (!isOfRow) return { ...joined, from: `(SELECT * FROM ${lefts.rows.from} ASOF ${word} ${rights.rows.from} ON ${on})` };
  // The engine's own join pairs rows that belong to different rows around.
  const nearest = conditions.findIndex(({ operator }) => operator !== '=');
  const direction = conditions[nearest]?.operator.startsWith('>') === true ? 'DESC' : 'ASC';
  const [place, rank] = [freshName(context, 'c'), freshName(context, 'c')];
  const numbered = `(SELECT *, row_number() OVER () AS ${place} FROM ${lefts.rows.from})`;
  const pairs = `(SELECT *, row_number() OVER (PARTITION BY ${place} ORDER BY ${rights.names[nearest]} ${direction}) AS ${rank} FROM ${numbered} ${word} ${rights.rows.from} ON ${on})`;
  return { ...joined, from: `(SELECT * FROM ${pairs} WHERE ${rank} = 1)` };
}

/** The rows with values as columns that can be compared. */
function withValues(
  context: LoweringContext,
  rows: Rows,
  values: readonly Plan[],
): { readonly rows: Rows; readonly names: readonly string[] } {
  const { rows: below, result } = onRows(context, rows, (scope) =>
    values.map((value) => ({ name: freshName(context, 'c'), sql: sortable(lowerValue(context, value, scope), value.type) })),
  );
  return { rows: withColumns(below, result), names: result.map(({ name }) => name) };
}
