import type { FrameEdge, Plan, Select, SortKey, WindowCall } from '@svc/query-language';
import { assertNever, ownValue } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { AGGREGATE_LOWERINGS } from '../functions/aggregate-functions.ts';
import { distinctElements } from '../functions/distinct-elements.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { callContext, freshName } from '../lowering-context.ts';
import type { LoweredArgument } from '../lowering-types.ts';
import { constantOf, lowerValue } from '../lower-value.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { bindOnce } from '../scalars/bind-once.ts';
import { sortable } from '../scalars/comparable.ts';
import { sortKeyValue } from '../scalars/sort-key.ts';
import type { Scope } from '../scope.ts';
import { ownWindows } from '../select/own-windows.ts';
import { insideRows, type ListRows } from './list-rows.ts';

/** Window calls over a list: each row with their values beside it. The square of the number of rows, and so for few. */
export function windowedRows(
  context: LoweringContext,
  plan: Select,
  rows: ListRows,
): { readonly rows: ListRows; readonly item: Plan; readonly orderBy: readonly SortKey[] } {
  const { calls, item, orderBy } = ownWindows(context, plan);
  if (calls.length === 0) return { rows, item, orderBy };
  const [index, all, one, element] = ['i', 'x', 'x', 'x'].map((prefix) => freshName(context, prefix)) as [string, string, string, string];
  const inside = insideRows(rows);
  const needs = calls.map(({ call }, w) => `w${w} := ${neededByWindow(context, call, inside)}`);
  const prepared = `list_transform(${rows.list}, lambda ${rows.element}, ${index}: struct_pack(${[`r := ${rows.element}`, `i := ${index}`, ...needs].join(', ')}))`;
  const values = calls.map(
    ({ call }, w) => `w${w} := ${windowValue(context, call, { all, row: one, member: `w${w}`, scope: rows.scope })}`,
  );
  const made = `list_transform(${all}, lambda ${one}: struct_pack(${[`r := ${one}.r`, ...values].join(', ')}))`;
  return {
    rows: {
      list: `list_extract(list_transform([${prepared}], lambda ${all}: ${made}), 1)`,
      element,
      scope: rows.scope,
      bindings: [
        ...rows.bindings.map(([id, at]) => [id, at.replace(rows.element, `${element}.r`)] as const),
        ...calls.map(({ id }, w) => [id, `${element}.w${w}`] as const),
      ],
    },
    item,
    orderBy,
  };
}

/** What a call needs of each row, as a struct: `p` its partition, `k` its place in the order, the same without one, `f` whether it counts, the arguments, the frame's offsets. */
function neededByWindow(context: LoweringContext, call: WindowCall, scope: Scope): string {
  const value = (plan: Plan): string => lowerValue(context, plan, scope);
  const filter = call.filter === null ? null : `coalesce(${value(call.filter)}, FALSE)`;
  const members = call.arguments.map((argument, i) => {
    const sql = value(argument);
    return `a${i} := ${filter !== null ? `CASE WHEN ${filter} THEN ${sql} END` : sql}`;
  });
  // Within a struct, NULL equals NULL.
  const partition = call.partitionBy.map((part, i) => `p${i} := ${sortable(value(part), part.type)}`);
  if (partition.length > 0) members.push(`p := struct_pack(${partition.join(', ')})`);
  const order =
    call.orderBy.length === 0
      ? 'TRUE'
      : sortKeyValue(call.orderBy.map((key) => ({ ...key, sql: sortable(value(key.value), key.value.type) })));
  members.push(`k := ${order}`);
  if (filter !== null) members.push(`f := ${filter}`);
  for (const [name, edge] of [['s', call.frame?.start] as const, ['e', call.frame?.end] as const]) {
    const offset = edge?.offset ?? null;
    if (offset !== null) members.push(`${name} := ${checkedOffset(context, offset, scope)}`);
  }
  return `struct_pack(${members.join(', ')})`;
}

function checkedOffset(context: LoweringContext, offset: Plan, scope: Scope): string {
  const call = callContext(context, offset, { functionName: 'ROWS', isInTry: scope.isInTry });
  const fail = call.raise('the offset of a frame must not be negative', offset.type);
  return bindOnce([lowerValue(context, offset, scope)], (n) => `CASE WHEN ${n} >= 0 THEN least(${n}, ${FAR}) ELSE ${fail} END`);
}

/** More rows than a list has. */
const FAR = '1000000000000';

interface WindowPlace {
  /** The variable of the list of all prepared rows. */
  readonly all: string;
  /** The variable of the row that the call is of. */
  readonly row: string;
  /** The member of a prepared row with what the call needs. */
  readonly member: string;
  readonly scope: Scope;
}

/** The value of a call for one row: of its partition, sorted, and its own place in that. */
function windowValue(context: LoweringContext, call: WindowCall, { all, row, member, scope }: WindowPlace): string {
  const [other, sorted, at] = ['x', 'x', 'x'].map((prefix) => freshName(context, prefix)) as [string, string, string];
  const own = `${row}.${member}`;
  const partition = call.partitionBy.length === 0 ? all : `list_filter(${all}, lambda ${other}: ${other}.${member}.p = ${own}.p)`;
  const inOrder = `list_sort(list_transform(${partition}, lambda ${other}: struct_pack(k := ${other}.${member}.k, i := ${other}.i, v := ${other}.${member})))`;
  const place = `list_position(list_transform(${sorted}, lambda ${other}: ${other}.i), ${row}.i)`;
  const body = valueAt(context, call, { rows: `${at}.s`, place: `${at}.n`, own, element: other, scope });
  const bound = `list_transform([${inOrder}], lambda ${sorted}: struct_pack(s := ${sorted}, n := ${place}))`;
  return `CAST(list_extract(list_transform(${bound}, lambda ${at}: ${body}), 1) AS ${duckType(call.type)})`;
}

interface RowInOrder {
  /** The partition's rows in order. */
  readonly rows: string;
  /** The place of the row among them, from 1. */
  readonly place: string;
  /** What the call needs of the row. */
  readonly own: string;
  /** A variable for lambdas. */
  readonly element: string;
  readonly scope: Scope;
}

function valueAt(context: LoweringContext, call: WindowCall, at: RowInOrder): string {
  const { rows, place, own, element } = at;
  const before = `list_filter(${rows}, lambda ${element}: ${element}.k < ${own}.k)`;
  const neighbour = (sign: '-' | '+'): string => {
    const by = call.arguments.length > 1 ? `${own}.a1` : '1';
    const fallback = call.arguments.length > 2 ? `${own}.a2` : 'NULL';
    if (call.ignoresNulls)
      throw new LoweringUnsupported(
        `${call.function} IGNORE NULLS cannot stand in what is made for each element of a collection`,
        call.span,
      );
    const there = `CAST(${place} AS HUGEINT) ${sign} ${by}`;
    return `CASE WHEN ${there} BETWEEN 1 AND len(${rows}) THEN list_extract(${rows}, CAST(${there} AS BIGINT)).v.a0 ELSE ${fallback} END`;
  };
  switch (call.function) {
    case 'ROW_NUMBER':
      return place;
    case 'RANK':
      return `len(${before}) + 1`;
    case 'DENSE_RANK':
      return `len(list_distinct(list_transform(${before}, lambda ${element}: ${element}.k))) + 1`;
    case 'NTILE':
      return bucket(context, call, at);
    case 'LAG':
      return neighbour('-');
    case 'LEAD':
      return neighbour('+');
    case 'PERCENT_RANK':
      return `CASE WHEN len(${rows}) > 1 THEN len(${before}) / (len(${rows}) - 1) ELSE 0 END`;
    case 'CUME_DIST':
      return `len(list_filter(${rows}, lambda ${element}: ${element}.k <= ${own}.k)) / len(${rows})`;
    case 'NTH_VALUE':
      return nth(context, call, at);
    case 'FIRST_VALUE':
      return `list_extract(${frameOf(call, at)}, 1).v.a0`;
    case 'LAST_VALUE':
      return `list_extract(${frameOf(call, at)}, -1).v.a0`;
    default:
      return aggregateOfFrame(context, call, at);
  }
}

function nth(context: LoweringContext, call: WindowCall, at: RowInOrder): string {
  const { own, element } = at;
  const raised = callContext(context, call, { functionName: call.function, isInTry: at.scope.isInTry });
  const fail = raised.raise('NTH_VALUE counts from 1', call.arguments[1]?.type ?? call.type);
  const frame = frameOf(call, at);
  const counted = call.ignoresNulls ? `list_filter(${frame}, lambda ${element}: ${element}.v.a0 IS NOT NULL)` : frame;
  return `list_extract(${counted}, CASE WHEN ${own}.a1 > 0 THEN ${own}.a1 ELSE ${fail} END).v.a0`;
}

/** The first buckets have one row more where they cannot all have as many. */
function bucket(context: LoweringContext, call: WindowCall, { rows, place, own, scope }: RowInOrder): string {
  const [buckets] = call.arguments;
  if (buckets === undefined) throw new Error('NTILE needs a number of buckets.');
  const raised = callContext(context, call, { functionName: call.function, isInTry: scope.isInTry });
  const [size, rest, n] = [`len(${rows}) // ${own}.a0`, `len(${rows}) % ${own}.a0`, place];
  const larger = `(${rest}) * ((${size}) + 1)`;
  const number = `CASE WHEN ${n} <= ${larger} THEN (${n} - 1) // ((${size}) + 1) ELSE (${n} - 1 - ${larger}) // (${size}) + (${rest}) END + 1`;
  return `CASE WHEN ${own}.a0 > 0 THEN ${number} ELSE ${raised.raise('NTILE needs at least one bucket', call.type)} END`;
}

/** The rows of the frame; without one, all up to the last that stands as high as the row itself. */
function frameOf(call: WindowCall, { rows, place, own, element }: RowInOrder): string {
  if (call.frame?.unit === 'range')
    throw new LoweringUnsupported('a frame by RANGE cannot stand in what is made for each element of a collection', call.span);
  if (call.frame === null) return `list_filter(${rows}, lambda ${element}: ${element}.k <= ${own}.k)`;
  const edge = ({ type }: FrameEdge, offset: string): string => {
    switch (type) {
      case 'unbounded-preceding':
        return '1';
      case 'preceding':
        return `${place} - ${offset}`;
      case 'current-row':
        return place;
      case 'following':
        return `${place} + ${offset}`;
      case 'unbounded-following':
        return `len(${rows})`;
      default:
        return assertNever(type);
    }
  };
  return `list_slice(${rows}, greatest(${edge(call.frame.start, `${own}.s`)}, 1), greatest(${edge(call.frame.end, `${own}.e`)}, 0))`;
}

function aggregateOfFrame(context: LoweringContext, call: WindowCall, at: RowInOrder): string {
  const lowering = ownValue(AGGREGATE_LOWERINGS, call.function);
  if (lowering === undefined) throw new Error(`${call.function} is no window function`);
  const { element } = at;
  const frame = frameOf(call, at);
  const counted = call.filter === null ? frame : `list_filter(${frame}, lambda ${element}: ${element}.v.f)`;
  const [first, ...others] = call.arguments;
  const names = call.arguments.map((_, i) => `a${i} := ${element}.v.a${i}`);
  const value = others.length === 0 ? `${element}.v.a0` : `struct_pack(${names.join(', ')})`;
  const values = first === undefined ? counted : `list_transform(${counted}, lambda ${element}: ${value})`;
  const distinct = call.isDistinct && first !== undefined ? distinctElements(values, first.type, 'values') : values;
  const args = call.arguments.map((argument): LoweredArgument => ({
    sql: argument.kind === 'Constant' ? lowerValue(context, argument, at.scope) : 'NULL',
    type: argument.type,
    constant: constantOf(argument),
  }));
  const raised = callContext(context, call, { functionName: call.function, isInTry: at.scope.isInTry });
  return bindOnce([distinct], (bound) => lowering.overList(bound, args, raised));
}
