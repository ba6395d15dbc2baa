import type { Plan, PlanSource } from '@svc/query-language';

import { conjuncts } from '../../analysis/conjuncts.ts';
import { select, subquery } from '../../sql/select.ts';
import { joinSql, NULL, SQL, verbatim, type Column, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { freshColumn } from '../lowering-context.ts';
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
  const compared = conditions.map(({ operator }, i) => ({ operator, left: lefts.names[i] ?? NULL, right: rights.names[i] ?? NULL }));
  const pairs = compared.map((pair) => SQL`${pair.left} ${verbatim(pair.operator)} ${pair.right}`);
  const word = source.join === 'asof-left' ? SQL`LEFT JOIN` : SQL`JOIN`;
  const columns = new Set([...lefts.rows.columns, ...rights.rows.columns]);
  const joined = { columns, scope: bindAll(right.scope, left.scope.variables), keys: left.keys };
  const nearest = compared.find(({ operator }) => operator !== '=');
  if (!isOfRow) {
    // Beside an equality the engine pairs a NULL on the left, and takes one on the right for the greatest value.
    const [leftKey, rightKey] = [nearest?.left ?? NULL, nearest?.right ?? NULL];
    const isKnown = (key: Sql): Sql => SQL`CASE WHEN ${key} IS NOT NULL THEN TRUE END`;
    const on = joinSql([...pairs, SQL`${isKnown(leftKey)} = ${isKnown(rightKey)}`], ' AND ');
    const keepsLeft = source.join === 'asof-left';
    const from = keepsLeft
      ? lefts.rows.from
      : subquery(select({ takesAll: true, from: lefts.rows.from, where: [SQL`${leftKey} IS NOT NULL`] }));
    return { ...joined, from: SQL`(SELECT * FROM ${from} ASOF ${word} ${rights.rows.from} ON ${on})` };
  }
  // The engine's own join pairs rows that belong to different rows around.
  const order = SQL`${nearest?.right ?? NULL} ${nearest?.operator.startsWith('>') === true ? SQL`DESC` : SQL`ASC`}`;
  const [place, rank] = [freshColumn(context, 'c'), freshColumn(context, 'c')];
  const numbered = subquery(select({ takesAll: true, items: [SQL`row_number() OVER () AS ${place}`], from: lefts.rows.from }));
  const ranked = SQL`row_number() OVER (PARTITION BY ${place} ORDER BY ${order}) AS ${rank}`;
  const on = joinSql(pairs, ' AND ');
  const found = subquery(select({ takesAll: true, items: [ranked], from: SQL`${numbered} ${word} ${rights.rows.from} ON ${on}` }));
  return { ...joined, from: subquery(select({ takesAll: true, from: found, where: [SQL`${rank} = 1`] })) };
}

/** The rows with values as columns that can be compared. */
function withValues(
  context: LoweringContext,
  rows: Rows,
  values: readonly Plan[],
): { readonly rows: Rows; readonly names: readonly Column[] } {
  const { rows: below, result } = onRows(context, rows, (scope) =>
    values.map((value) => ({ name: freshColumn(context, 'c'), sql: sortable(context.lowerValue(value, scope), value.type) })),
  );
  return { rows: withColumns(below, result), names: result.map(({ name }) => name) };
}
