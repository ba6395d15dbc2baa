import type { Plan, PlanSource } from '@svc/query-language';

import type { LoweringContext } from '../lowering-context.ts';
import { freshName } from '../lowering-context.ts';
import { lowerValue } from '../lower-value.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { sortable } from '../scalars/comparable.ts';
import { bindAll } from '../scope.ts';
import { conjuncts, onRows, withColumns, type Rows } from './rows.ts';

/** The engine pairs rows that belong to different rows around. */
export function asofWithinRow(span: Plan['span']): LoweringUnsupported {
  return new LoweringUnsupported('a query with ASOF JOIN cannot use what belongs to a row around it: take those rows into its FROM', span);
}

/** ASOF JOIN: the comparisons of `on` between columns of both sides, which are computed before. Each row stays at most once. */
export function joinNearest(context: LoweringContext, left: Rows, right: Rows, source: PlanSource): Rows {
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
  const word = source.join === 'asof-left' ? 'ASOF LEFT JOIN' : 'ASOF JOIN';
  return {
    scope: bindAll(right.scope, left.scope.variables),
    keys: left.keys,
    from: `(SELECT * FROM ${lefts.rows.from} ${word} ${rights.rows.from} ON ${on})`,
  };
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
