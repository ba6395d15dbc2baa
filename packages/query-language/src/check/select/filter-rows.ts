import { constant } from '../../plan/build-plan.ts';
import { elementSource } from '../../plan/plain-select.ts';
import { rowNumber } from '../../plan/row-number.ts';
import type { Plan, Select, SortKey } from '../../plan/plan.ts';
import type { Expression, OrderItem, SelectExpression } from '../../syntax/ast.ts';
import { bool, collectionOf, isComparable, long, printType, recordOf } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { freshVariable, placeOf, report } from '../check-context.ts';
import { expectOperand } from '../convert.ts';
import { isFaulty } from '../operand.ts';
import { fieldOf } from '../record-fields.ts';
import { findWindow, windowsOverGroups } from './windows-over-groups.ts';

/** A filter of the rows of a SELECT after its windows. */
export type RowFilter =
  | { readonly kind: 'qualify'; readonly condition: Plan }
  /** Keeps the first row of each key, in the order of the SELECT. */
  | { readonly kind: 'distinct-on'; readonly keys: readonly Plan[]; readonly orderBy: readonly SortKey[] };

/** Returns whether a SELECT has QUALIFY or DISTINCT ON. */
export function hasRowFilter({ qualify, distinctOn }: SelectExpression): boolean {
  return qualify !== null || distinctOn.length > 0;
}

/** Checks QUALIFY or DISTINCT ON; null if there is neither. `check` resolves item names before fields, as ORDER BY does. */
export function checkRowFilter(
  context: CheckContext,
  node: SelectExpression,
  { check, sort }: { readonly check: (value: Expression) => Plan; readonly sort: (key: OrderItem) => SortKey },
): RowFilter | null {
  const { qualify, distinctOn } = node;
  const [first] = distinctOn;
  if (qualify !== null && first !== undefined) report(context, 'distinct-on-and-qualify', first.span);
  if (qualify !== null) return { kind: 'qualify', condition: expectOperand(context, check(qualify), bool, qualify.span) };
  if (first === undefined) return null;
  const keys = distinctOn.map((value) => {
    const key = check(value);
    return isFaulty(key) || isComparable(key.type) ? key : report(context, 'not-a-key', value.span, printType(key.type));
  });
  return { kind: 'distinct-on', keys, orderBy: node.orderBy.map(sort) };
}

/**
 * Wraps a Select in one that filters its rows. The inner Select computes the condition and the sort keys beside each item.
 * Sort keys use rows, not items, except with DISTINCT.
 */
export function filterRows(context: CheckContext, select: Select, filter: RowFilter): Plan {
  if (filter.kind === 'distinct-on' && sortsByWindows(filter)) return distinctAmongRows(context, select, filter);
  const condition = filter.kind === 'qualify' ? filter.condition : isFirst(context, select, filter);
  const keys = select.isDistinct ? [] : select.orderBy.map(({ value }) => value);
  return overRowsOf(context, select, [select.item, condition, ...keys], (over, [item, where = null, ...sorted]) => ({
    ...over,
    where,
    item: item ?? over.item,
    orderBy: select.isDistinct ? select.orderBy : select.orderBy.map((key, i) => ({ ...key, value: sorted[i] ?? key.value })),
    order: select.isDistinct ? 'sorted' : select.order === 'none' ? 'none' : 'source',
  }));
}

type DistinctOn = Extract<RowFilter, { kind: 'distinct-on' }>;

function sortsByWindows({ keys, orderBy }: DistinctOn): boolean {
  return [...keys, ...orderBy.map(({ value }) => value)].some((value) => findWindow(value) !== null);
}

/** A window cannot stand in another, as in that of DISTINCT ON: computes the keys first, beside each item. */
function distinctAmongRows(context: CheckContext, select: Select, { keys, orderBy }: DistinctOn): Plan {
  const values = [select.item, ...keys, ...orderBy.map(({ value }) => value)];
  return overRowsOf(context, select, values, (over, [item, ...others]) => {
    const sorted = orderBy.map((key, i) => ({ ...key, value: others[keys.length + i] ?? key.value }));
    const ofRows: Select = { ...over, item: item ?? over.item, orderBy: sorted, order: 'source' };
    return filterRows(context, ofRows, { kind: 'distinct-on', keys: others.slice(0, keys.length), orderBy: sorted });
  });
}

/** Makes a Select over the rows of another, which computes some values for each: `make` gets them as fields of the row. */
function overRowsOf(
  context: CheckContext,
  select: Select,
  values: readonly Plan[],
  make: (over: Select, fields: readonly Plan[]) => Plan,
): Plan {
  const { span } = select;
  const rowType = recordOf(values.map(({ type }, i) => ({ name: String(i), type })));
  const rows = windowsOverGroups(context, {
    ...select,
    type: collectionOf(rowType),
    item: { kind: 'RecordLiteral', type: rowType, span, values },
    itemVariable: freshVariable(context),
    isDistinct: false,
    orderBy: [],
    limit: null,
    offset: null,
    order: select.grouping === null ? (select.order === 'none' ? 'none' : 'source') : 'sorted',
  });
  if (isFaulty(rows)) return rows;
  const row = freshVariable(context);
  const fields = values.map((_, i) => fieldOf({ kind: 'Variable', type: rowType, span, id: row }, i, span));
  return make({ ...select, sources: [elementSource(rows, row)], where: null, grouping: null, having: null }, fields);
}

/** Returns a condition that is true for the first row of each key: its ROW_NUMBER is 1. */
function isFirst(context: CheckContext, { span }: Select, { keys, orderBy }: DistinctOn): Plan {
  const at = placeOf(context, span);
  const one = constant(long, '1', at);
  return { kind: 'Comparison', type: bool, span: at, operator: '=', left: rowNumber(keys, orderBy, at), right: one };
}
