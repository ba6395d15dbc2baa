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
import { windowsOverGroups } from './windows-over-groups.ts';

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
  const { span, item } = select;
  const condition = filter.kind === 'qualify' ? filter.condition : isFirst(context, select, filter);
  const keys = select.isDistinct ? [] : select.orderBy.map(({ value }) => value);
  const values = [item, condition, ...keys];
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
  const ofRow = (index: number): Plan => fieldOf({ kind: 'Variable', type: rowType, span, id: row }, index, span);
  return {
    ...select,
    sources: [elementSource(rows, row)],
    where: ofRow(1),
    grouping: null,
    having: null,
    item: ofRow(0),
    orderBy: select.isDistinct ? select.orderBy : select.orderBy.map((key, i) => ({ ...key, value: ofRow(2 + i) })),
    order: select.isDistinct ? 'sorted' : select.order === 'none' ? 'none' : 'source',
  };
}

/** Returns a condition that is true for the first row of each key: its ROW_NUMBER is 1. */
function isFirst(context: CheckContext, { span }: Select, { keys, orderBy }: Extract<RowFilter, { kind: 'distinct-on' }>): Plan {
  const at = placeOf(context, span);
  const one = constant(long, '1', at);
  return { kind: 'Comparison', type: bool, span: at, operator: '=', left: rowNumber(keys, orderBy, at), right: one };
}
