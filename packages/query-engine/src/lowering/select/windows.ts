import type { FrameEdge, Plan, Select, WindowCall } from '@svc/query-language';
import { findFunction, ownValue } from '@svc/query-language';

import { holdsInterval } from '../../analysis/holds-primitive.ts';
import { extractWindows } from '../../rewrite/extract-windows.ts';
import { joinSql, NOTHING, SQL, verbatim, type Sql } from '../../sql/sql.ts';
import { AGGREGATE_LOWERINGS } from '../functions/aggregate-functions.ts';
import { WINDOW_LOWERINGS } from '../functions/window-functions.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { callContext, freshColumn, newVariable } from '../lowering-context.ts';
import { sortable } from '../scalars/comparable.ts';
import { letExpression } from '../scalars/let-expression.ts';
import { sortText } from '../scalars/sort-key.ts';
import type { Binding, Scope } from '../scope.ts';
import { bindAll } from '../scope.ts';
import { lowerInputs, type CallInputs } from './call-inputs.ts';
import { withColumns, type Rows, type Tail } from './rows.ts';

/** The window calls of a SELECT as columns of its rows, and variables in their place. */
export function lowerWindows(context: LoweringContext, plan: Select, rows: Rows): Tail {
  const { calls, item, orderBy } = extractWindows(plan, () => newVariable(context));
  const found = calls.map(({ call, id }) => ({ call, id, name: freshColumn(context, 'c') }));
  let all = rows;
  const columns = found.map(({ call, name }) => {
    const { rows: below, sql } = windowSql(context, call, all);
    all = below;
    return { name, sql };
  });
  const bindings = found.map(({ id, name }): [number, Binding] => [id, { kind: 'column', sql: name }]);
  return { rows: { ...withColumns(all, columns), scope: bindAll(rows.scope, bindings) }, item, orderBy };
}

/** Lowers `f(…) OVER (…)`, over columns with its inputs for each row. */
function windowSql(context: LoweringContext, call: WindowCall, rows: Rows): { readonly rows: Rows; readonly sql: Sql } {
  const { filter, args, column, value, rows: below } = lowerInputs(context, rows, call);
  const partition = call.partitionBy.map((part) => value(part, (sql) => sortable(sql, part.type)));
  const order = call.orderBy.map((key) =>
    sortText(
      value(key.value, (sql) => sortable(sql, key.value.type)),
      key,
    ),
  );
  const keys = seesSourceOrder(call) ? rows.keys.map((key) => sortText(key.sql, key)) : [];
  const edge = (at: FrameEdge): Sql => frameEdge(at, at.offset === null ? NOTHING : frameOffset(context, at.offset, rows.scope, value));
  // Other functions have no frame: the engine would apply its rules, as of RANGE, to one that is written.
  const frame =
    call.frame !== null && hasFrame(call)
      ? SQL`${verbatim(call.frame.unit.toUpperCase())} BETWEEN ${edge(call.frame.start)} AND ${edge(call.frame.end)}`
      : keys.length > 0 && call.orderBy.length === 0 && hasFrame(call)
        ? SQL`ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING`
        : null;
  const suffixOf = (partitions: readonly Sql[], orderBy: readonly Sql[], at: Sql | null): Sql => {
    const clauses = [
      ...(partitions.length === 0 ? [] : [SQL`PARTITION BY ${joinSql(partitions)}`]),
      ...(orderBy.length === 0 ? [] : [SQL`ORDER BY ${joinSql(orderBy)}`]),
      ...(at === null ? [] : [at]),
    ];
    return SQL`${filter === null ? NOTHING : SQL` FILTER (WHERE ${filter})`} OVER (${joinSql(clauses, ' ')})`;
  };
  const suffix = suffixOf(partition, [...order, ...keys], frame);
  const lowering = ownValue(WINDOW_LOWERINGS, call.function);
  if (lowering === undefined) throw new Error(`${call.function} is no window function`);
  const sql = lowering(
    args,
    {
      ...{ distinct: call.isDistinct ? SQL`DISTINCT ` : NOTHING, suffix, orderKey: null, ignoresNulls: call.ignoresNulls },
      suffixAmongEqual: (key) => suffixOf([...partition, key], [], null),
      column: (sql) => column(() => sql),
    },
    callContext(context, call, call.function, rows.scope),
  );
  return { rows: below(), sql };
}

/** Returns whether a function depends on a frame of rows rather than on the row's place in its partition. */
function hasFrame(call: WindowCall): boolean {
  const definition = findFunction(call.function);
  return definition?.kind === 'aggregate' || definition?.dependsOnFrame === true;
}

/**
 * Returns whether the source order of rows matters because the window has no order, or has ties: false if equal rows count
 * as one, as for a rank or in the frame of an ORDER BY.
 */
function seesSourceOrder(call: WindowCall): boolean {
  if (findFunction(call.function)?.isSameForTies === true) return false;
  if (!hasFrame(call) || call.frame?.unit === 'rows') return true;
  if (call.frame !== null) return false;
  return call.orderBy.length === 0 && ownValue(AGGREGATE_LOWERINGS, call.function)?.isOrdered !== false;
}

/** The engine treats negative offsets as an empty frame. */
function frameOffset(context: LoweringContext, offset: Plan, scope: Scope, value: CallInputs['value']): Sql {
  if (offset.kind === 'Constant' && typeof offset.value === 'string' && !offset.value.includes('-')) return value(offset);
  const call = callContext(context, offset, 'ROWS', scope);
  const fail = call.raise('the offset of a frame must not be negative', offset.type);
  const zero = holdsInterval(offset.type) ? SQL`INTERVAL '0 days'` : SQL`0`;
  return value(offset, (sql) => letExpression([sql], (n) => SQL`CASE WHEN ${n} >= ${zero} THEN ${n} ELSE ${fail} END`));
}

/** The word of an edge is that of its type: `current-row` is CURRENT ROW. */
function frameEdge({ type }: FrameEdge, offset: Sql): Sql {
  return SQL`${offset} ${verbatim(type.replace('-', ' ').toUpperCase())}`;
}
