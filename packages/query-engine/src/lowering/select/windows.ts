import type { FrameEdge, Plan, Select, WindowCall } from '@svc/query-language';
import { assertNever, findFunction, ownValue } from '@svc/query-language';

import { constantOf } from '../../analysis/constant-of.ts';
import { isFallible } from '../../analysis/fallibility.ts';
import { holdsInterval } from '../../analysis/holds-primitive.ts';
import { extractWindows } from '../../rewrite/extract-windows.ts';
import { AGGREGATE_LOWERINGS } from '../functions/aggregate-functions.ts';
import { WINDOW_LOWERINGS } from '../functions/window-functions.ts';
import { lowerValue } from '../lower-value.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { callContext, freshName, newVariable } from '../lowering-context.ts';
import type { LoweredArgument } from '../lowering-types.ts';
import { sortable } from '../scalars/comparable.ts';
import { letExpression } from '../scalars/let-expression.ts';
import { sortText } from '../scalars/sort-key.ts';
import type { Binding } from '../scope.ts';
import { bindAll } from '../scope.ts';
import type { Tail } from './lower-select.ts';
import { onRows, withColumns, type Rows } from './rows.ts';

/** The window calls of a SELECT as columns of its rows, and variables in their place. */
export function lowerWindows(context: LoweringContext, plan: Select, rows: Rows): Tail {
  const { calls, item, orderBy } = extractWindows(plan, () => newVariable(context));
  const found = calls.map(({ call, id }) => ({ call, id, name: freshName(context, 'c') }));
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
function windowSql(context: LoweringContext, call: WindowCall, rows: Rows): { readonly rows: Rows; readonly sql: string } {
  let all = rows;
  const column = (plan: Plan, wrap: (sql: string) => string = (sql) => sql): string => {
    if (plan.kind === 'Constant') return lowerValue(context, plan, rows.scope);
    const { rows: below, result } = onRows(context, all, (scope) => wrap(lowerValue(context, plan, scope)));
    const name = freshName(context, 'c');
    all = withColumns(below, [{ name, sql: result }]);
    return name;
  };
  const filter = call.filter === null ? null : column(call.filter);
  const args = call.arguments.map((argument): LoweredArgument => ({
    sql: column(argument, (sql) => (filter !== null && isFallible(argument) ? `CASE WHEN ${filter} THEN ${sql} END` : sql)),
    type: argument.type,
    constant: constantOf(argument),
  }));
  const partition = call.partitionBy.map((part) => column(part, (sql) => sortable(sql, part.type)));
  const order = call.orderBy.map((key) =>
    sortText(
      column(key.value, (sql) => sortable(sql, key.value.type)),
      key,
    ),
  );
  const keys = seesSourceOrder(call) ? rows.keys.map((key) => sortText(key.sql, key)) : [];
  const edge = (at: FrameEdge): string => frameEdge(at, at.offset && frameOffset(context, at.offset, column));
  const frame =
    call.frame !== null
      ? `${call.frame.unit.toUpperCase()} BETWEEN ${edge(call.frame.start)} AND ${edge(call.frame.end)}`
      : keys.length > 0 && call.orderBy.length === 0 && hasFrame(call)
        ? 'ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING'
        : '';
  const suffixOf = (partitions: readonly string[], rest: readonly string[]): string => {
    const parts = [partitions.length === 0 ? '' : `PARTITION BY ${partitions.join(', ')}`, ...rest];
    return `${filter === null ? '' : ` FILTER (WHERE ${filter})`} OVER (${parts.filter((part) => part !== '').join(' ')})`;
  };
  const suffix = suffixOf(partition, [order.length + keys.length === 0 ? '' : `ORDER BY ${[...order, ...keys].join(', ')}`, frame]);
  const lowering = ownValue(WINDOW_LOWERINGS, call.function);
  if (lowering === undefined) throw new Error(`${call.function} is no window function`);
  const sql = lowering(
    args,
    {
      ...{ distinct: call.isDistinct ? 'DISTINCT ' : '', suffix, orderKey: null, ignoresNulls: call.ignoresNulls },
      suffixAmongEqual: (value) => suffixOf([...partition, value], []),
      column: (value) => {
        const name = freshName(context, 'c');
        all = withColumns(all, [{ name, sql: value }]);
        return name;
      },
    },
    callContext(context, call, { functionName: call.function, isInTry: false }),
  );
  return { rows: all, sql };
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
function frameOffset(context: LoweringContext, offset: Plan, column: (plan: Plan, wrap?: (sql: string) => string) => string): string {
  if (offset.kind === 'Constant' && typeof offset.value === 'string' && !offset.value.includes('-')) return column(offset);
  const call = callContext(context, offset, { functionName: 'ROWS', isInTry: false });
  const fail = call.raise('the offset of a frame must not be negative', offset.type);
  const zero = holdsInterval(offset.type) ? "INTERVAL '0 days'" : '0';
  return column(offset, (sql) => letExpression([sql], (n) => `CASE WHEN ${n} >= ${zero} THEN ${n} ELSE ${fail} END`));
}

function frameEdge(at: FrameEdge, offset: string | null): string {
  switch (at.type) {
    case 'unbounded-preceding':
      return 'UNBOUNDED PRECEDING';
    case 'preceding':
      return `${offset} PRECEDING`;
    case 'current-row':
      return 'CURRENT ROW';
    case 'following':
      return `${offset} FOLLOWING`;
    case 'unbounded-following':
      return 'UNBOUNDED FOLLOWING';
    default:
      return assertNever(at.type);
  }
}
