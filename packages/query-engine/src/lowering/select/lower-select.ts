import type { Plan, Select, SortKey } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import type { RelationLayout } from '../../representation/relation-layout.ts';
import { quoteIdentifier } from '../../representation/sql-text.ts';
import { canFail } from '../can-fail.ts';
import type { Binding, LoweringContext, Relation, Scope } from '../lowering-context.ts';
import { callContext, freshName } from '../lowering-context.ts';
import type { RelationOptions } from '../lower-relation.ts';
import { columnsOf, layoutOf, orderedByAll, rowBinding } from '../lower-relation.ts';
import { constantOf, lowerValue } from '../lower-value.ts';
import { usesAny } from '../variables.ts';
import type { From } from './from.ts';
import { carry, lowerFrom, scopeOf } from './from.ts';
import { keepsRowsOfGroups, lowerGroups } from './grouping.ts';

/** A statement in the making: what stands after FROM and WHERE, and what its items, keys and sort keys are said in. */
export interface Rows {
  readonly from: From;
  readonly where: string | null;
  readonly item: Plan;
  readonly orderBy: readonly SortKey[];
  /** SQL of the order that is promised where no ORDER BY stands. */
  readonly defaultOrder: readonly string[];
}

/** A SELECT as a relation. */
export function lowerSelect(context: LoweringContext, plan: Select, scope: Scope, options: RelationOptions): Relation {
  const from = lowerFrom(context, plan, scope, { keepsOrder: needsSourceOrder(plan, options) });
  const filtered = filterRows(context, from, plan.where, scope);
  const rows: Rows = plan.grouping === null
    ? { ...filtered, item: plan.item, orderBy: plan.orderBy, defaultOrder: [] }
    : lowerGroups(context, plan, filtered, scope);
  return finish(context, plan, rows, scope, options);
}

/** Whether the order of the sources shows in the result: in its rows, in which of them LIMIT takes, or in what a group keeps. */
function needsSourceOrder(plan: Select, options: RelationOptions): boolean {
  if (plan.grouping !== null) return keepsRowsOfGroups(plan);
  return plan.order === 'source' && plan.orderBy.length === 0 && (options.keepsOrder || plan.limit !== null || plan.offset !== null);
}

/** WHERE; a condition that can fail must not be drawn below a join, from which a sub-select keeps it. */
function filterRows(context: LoweringContext, from: From, where: Plan | null, scope: Scope): { readonly from: From; readonly where: string | null } {
  if (where === null) return { from, where: null };
  if (!from.isJoin || !canFail(where)) return { from, where: lowerValue(context, where, scopeOf(scope, from)) };
  const carried = carry(context, from);
  const alias = freshName(context, 'b');
  const fenced: From = { sql: `(SELECT ${carried.items.join(', ')} FROM ${from.sql}) AS ${alias}`, bindings: carried.rebind(alias), isJoin: false };
  return { from: fenced, where: lowerValue(context, where, scopeOf(scope, fenced)) };
}

/** Items, DISTINCT, ORDER BY, OFFSET and LIMIT over the rows. */
function finish(context: LoweringContext, plan: Select, rows: Rows, scope: Scope, options: RelationOptions): Relation {
  const inside = scopeOf(scope, rows.from);
  const { layout, columns } = lowerItem(context, rows.item, inside);
  const names = columnsOf(layout, 'x').map((column) => column.slice(2));
  const itemIds = new Set([plan.itemVariable]);
  const pasted = (key: SortKey): boolean => !usesAny(key.value, itemIds);
  const sortNames = rows.orderBy.map(() => freshName(context, 'k'));
  const innerKeys = plan.isDistinct ? [] : rows.orderBy.flatMap((key, i) => (pasted(key) ? [`${lowerValue(context, key.value, inside)} AS ${sortNames[i] ?? ''}`] : []));
  const items = columns.map((column, i) => `${column} AS ${names[i] ?? ''}`);
  const where = rows.where === null ? '' : ` WHERE ${rows.where}`;
  const body = `SELECT ${plan.isDistinct ? 'DISTINCT ' : ''}${[...items, ...innerKeys].join(', ')} FROM ${rows.from.sql}${where}`;
  const bounds = lowerBounds(context, plan, scope);
  const needsOrder = options.keepsOrder || bounds !== '';
  if (rows.orderBy.length > 0 && needsOrder) {
    const alias = freshName(context, 'o');
    const outer = new Map(inside).set(plan.itemVariable, rowBinding(layout, alias));
    const keys = rows.orderBy.map((key, i) => sortKey(pasted(key) && !plan.isDistinct ? `${alias}.${sortNames[i] ?? ''}` : lowerValue(context, key.value, outer), key));
    return { layout, sql: `SELECT ${columnsOf(layout, alias).join(', ')} FROM (${body}) AS ${alias} ORDER BY ${keys.join(', ')}${bounds}` };
  }
  if (plan.isDistinct && needsOrder) return { layout, sql: orderedByAll(context, body, layout) + bounds };
  const order = needsOrder && rows.defaultOrder.length > 0 ? ` ORDER BY ${rows.defaultOrder.join(', ')}` : '';
  return { layout, sql: body + order + bounds };
}

/** `ASC` and `DESC` with the place of NULL said every time. */
export function sortKey(sql: string, key: Pick<SortKey, 'isDescending' | 'areNullsFirst'>): string {
  return `${sql} ${key.isDescending ? 'DESC' : 'ASC'} ${key.areNullsFirst ? 'NULLS FIRST' : 'NULLS LAST'}`;
}

/** The element of the result as columns: a record of its own has one for each field. */
function lowerItem(context: LoweringContext, item: Plan, scope: Scope): { readonly layout: RelationLayout; readonly columns: readonly string[] } {
  const layout = layoutOf(item.type);
  if (layout.kind === 'columns' && item.kind === 'RecordLiteral') return { layout, columns: item.values.map((value) => lowerValue(context, value, scope)) };
  const binding: Binding | undefined = item.kind === 'Variable' ? scope.get(item.id) : undefined;
  if (layout.kind === 'columns' && binding?.kind === 'row' && binding.present === null) return { layout, columns: binding.columns };
  return { layout: { kind: 'value', column: 'v', type: item.type }, columns: [lowerValue(context, item, scope)] };
}

/** OFFSET and LIMIT: NULL is none, a negative one fails when the query runs. */
function lowerBounds(context: LoweringContext, plan: Select, scope: Scope): string {
  const bound = (word: string, value: Plan | null): string => {
    if (value === null) return '';
    const constant = constantOf(value);
    if (typeof constant === 'string' && Number(constant) >= 0) return ` ${word} ${constant}`;
    if (constant === null) return '';
    const call = callContext(context, value, { functionName: word, overload: '' });
    const sql = lowerValue(context, value, scope);
    const name = freshName(context, 'n');
    const guarded = `CASE WHEN ${name} < 0 THEN ${call.raise(`${word} is negative`, value.type)} ELSE ${name} END`;
    const fallback = word === 'OFFSET' ? '0' : `CAST(NULL AS ${duckType(value.type)})`;
    return ` ${word} (SELECT coalesce(${guarded}, ${fallback}) FROM (SELECT ${sql} AS ${quoteIdentifier(name)}) AS ${freshName(context, 'm')})`;
  };
  return bound('LIMIT', plan.limit) + bound('OFFSET', plan.offset);
}
