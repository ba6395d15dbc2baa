import type { Plan, PlanSource, Select, VariableId } from '@svc/query-language';
import { childrenOfPlan, isAsof } from '@svc/query-language';

import { ALL, topOnFields, type RowNeeds, type ScanOrder, type ScanTop } from './row-needs.ts';
import {
  comparableField,
  constantOf,
  equalFields,
  leadingConditions,
  onFields,
  rejectsNull,
  rowField,
  type ScanCondition,
} from './scan-condition.ts';

/** Returns which rows of a source a SELECT needs, of whose rows others need some. */
export function boundsOf(select: Select, source: PlanSource, needs: RowNeeds): Omit<RowNeeds, 'fields'> {
  // The nearest row is chosen among all.
  if (isAsof(source)) return ALL;
  // Positions count the rows that a condition drops.
  const isCounted = source.position !== null;
  const where = leadingConditions(select.where, source.row);
  const outer = conditionsBelow(select, source.row, isCounted ? [] : needs.conditions);
  const conditions = [...where.conditions, ...outer].filter((condition) => !source.isOptional || rejectsNull(condition));
  // A row that a condition drops later is not one of the first rows.
  const isOuterAll = outer.length === needs.conditions.length;
  const [limit, top] = isOuterAll ? [needs.limit, needs.top] : [null, null];
  const takesFirst = where.isAll && (!isCounted || select.where === null);
  return {
    conditions: isCounted ? [] : [...conditions, ...joinConditions(select, source), ...keyConditions(select, source, needs)],
    limit: takesFirst ? firstRows(select, limit) : null,
    top: takesFirst && !isCounted ? topRows(select, source.row, { limit, top }) : null,
  };
}

/** Translates conditions on the rows of a SELECT to those on a row of its source, as far as possible. */
function conditionsBelow(select: Select, row: VariableId, conditions: readonly ScanCondition[]): readonly ScanCondition[] {
  const { limit, offset, item, orderBy } = select;
  // Rows of a page, and those that windows look at, are chosen before.
  if (limit !== null || offset !== null || [item, ...orderBy.map(({ value }) => value)].some(holdsWindow)) return [];
  return conditions.flatMap((condition) => onFields(condition, (field) => fieldBelow(select, row, field)) ?? []);
}

/** Returns the index of the field of a source's row that is a field of a SELECT's rows. */
function fieldBelow(select: Select, row: VariableId, index: number): number | null {
  const { item, grouping } = select;
  if (item.kind === 'Variable' && item.id === row) return index;
  const value = item.kind === 'RecordLiteral' ? item.values[index] : item.type.kind === 'PrimitiveType' ? item : undefined;
  if (value === undefined) return null;
  return rowField(grouping === null ? value : keyOf(select, value), row)?.index ?? null;
}

/** Returns the value of the group key that a value is; of several groupings, a key is NULL in some. */
function keyOf({ grouping }: Select, value: Plan): Plan {
  if (grouping === null || grouping.sets !== null || value.kind !== 'Variable') return value;
  return grouping.keys.find(({ id }) => id === value.id)?.value ?? value;
}

/** Returns the conditions of joins on a source's row alone: a row that does not satisfy them has no match, and is not kept without one. */
function joinConditions({ sources }: Select, source: PlanSource): readonly ScanCondition[] {
  const { row, isOptional } = source;
  const index = sources.indexOf(source);
  return sources.flatMap(({ on, join }, i) => {
    if (on === null || i < index) return [];
    const isOwn = i === index;
    if (join !== 'inner' && join !== (isOwn ? 'left' : 'right')) return [];
    return leadingConditions(on, row).conditions.filter((condition) => isOwn || !isOptional || rejectsNull(condition));
  });
}

/**
 * Returns the conditions on keys of joins that follow from those on the other side. A row whose key does not satisfy them
 * matches only rows that WHERE drops, as it does those without the other side.
 */
function keyConditions(select: Select, source: PlanSource, needs: RowNeeds): readonly ScanCondition[] {
  const { sources, where } = select;
  return sources.flatMap((other, i) => {
    if (other === source) return [];
    const later = sources[Math.max(i, sources.indexOf(source))] ?? source;
    const conditions = [...leadingConditions(where, other.row).conditions, ...conditionsBelow(select, other.row, needs.conditions)];
    return [where, later.on].flatMap((on) =>
      equalFields(on, source.row, other.row).flatMap(({ left, right }) =>
        conditions.filter(rejectsNull).flatMap((found) => onFields(found, (field) => (field === right ? left : null)) ?? []),
      ),
    );
  });
}

/** Returns the number of rows of its only source that a SELECT uses for its first rows; null for all. */
function firstRows(select: Select, needed: number | null): number | null {
  return isRowByRow(select) && select.orderBy.length === 0 && select.order === 'source' ? rowsOf(select, needed) : null;
}

/** Returns the first rows of its only source, in an order, that a SELECT uses; null for all. */
function topRows(select: Select, row: VariableId, needed: Pick<RowNeeds, 'limit' | 'top'>): ScanTop | null {
  if (!isRowByRow(select)) return null;
  const { orderBy, limit, offset } = select;
  if (orderBy.length === 0)
    return needed.top === null || limit !== null || offset !== null
      ? null
      : topOnFields(needed.top, (field) => fieldBelow(select, row, field));
  const rows = rowsOf(select, needed.limit);
  const order = orderBy.map((key): ScanOrder | null => {
    const field = sortedField(select, row, key.value);
    return field === null ? null : { field, isDescending: key.isDescending, areNullsFirst: key.areNullsFirst };
  });
  const found = order.filter((key) => key !== null);
  return rows === null || found.length < order.length ? null : { rows, order: found };
}

/** Returns the field of a source's row by which a sort key sorts. */
function sortedField(select: Select, row: VariableId, value: Plan): number | null {
  const ofRow = comparableField(value, row);
  if (ofRow !== null) return ofRow.index;
  const ofItem = comparableField(value, select.itemVariable);
  return ofItem === null ? null : fieldBelow(select, row, ofItem.index);
}

function rowsOf({ limit, offset }: Select, needed: number | null): number | null {
  const own = limit === null ? needed : constantInteger(limit);
  const skipped = offset === null ? 0 : constantInteger(offset);
  return own === null || skipped === null ? null : Math.min(own, needed ?? own) + skipped;
}

/** Returns whether every row of the only source of a SELECT that its WHERE keeps is a row of the result. */
function isRowByRow({ sources, grouping, having, isSingle, isDistinct, item, orderBy }: Select): boolean {
  const isPlain = sources.length === 1 && grouping === null && having === null && !isSingle && !isDistinct;
  return isPlain && ![item, ...orderBy.map(({ value }) => value)].some(looksAround);
}

/** Returns whether a value depends on other rows. */
function looksAround(plan: Plan): boolean {
  return plan.kind === 'WindowCall' || plan.kind === 'Aggregate' || childrenOfPlan(plan).some(looksAround);
}

function holdsWindow(plan: Plan): boolean {
  return plan.kind === 'WindowCall' || childrenOfPlan(plan).some(holdsWindow);
}

function constantInteger(plan: Plan): number | null {
  const value = constantOf(plan)?.value;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null;
}
