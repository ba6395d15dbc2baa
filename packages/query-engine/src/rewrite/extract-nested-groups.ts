import type { GroupKey, Plan, Select, VariableId } from '@svc/query-language';
import { isFallible, mapChildren, plainSelect } from '@svc/query-language';

import { allOf } from '../analysis/conjuncts.ts';
import { aggregatesOf } from './extract-aggregates.ts';
import { holdsQuery, overGroup } from './fold-group-subqueries.ts';

/** A grouped Select without the nested groupings of its items, and these. */
export interface ExtractedNestedGroups {
  readonly plan: Select;
  readonly nested: readonly NestedGroups[];
}

/** `(SELECT … FROM * GROUP BY k)` in an item of a grouped Select: groups of the same rows, by the outer keys and then by its own. */
export interface NestedGroups {
  /** Variable of the collection in the item. */
  readonly id: VariableId;
  readonly type: Plan['type'];
  readonly span: Plan['span'];
  /** Conditions on the rows of the outer Select. */
  readonly where: Plan | null;
  /** The grouping over the rows of the outer Select: its keys are variables of the rows. */
  readonly groups: (outer: readonly GroupKey[]) => Select;
}

/**
 * Extracts nested groupings from the items: a second grouping of the rows computes them, since grouping lists of each
 * group's rows one by one would be many times slower. Only for those that are themselves a member of the item.
 */
export function extractNestedGroups(plan: Select, newVariable: () => VariableId): ExtractedNestedGroups {
  const nested: NestedGroups[] = [];
  if ((plan.grouping?.keys.length ?? 0) === 0 || plan.grouping?.sets !== null) return { plan, nested };
  const visit = (part: Plan): Plan => {
    if (part.kind === 'RecordLiteral') return mapChildren(part, visit);
    const found = part.kind === 'Select' ? nestedForm(part, plan.having !== null) : null;
    if (part.kind !== 'Select' || found === null) return part;
    const id = newVariable();
    nested.push({ ...found, id });
    const variable: Plan = { kind: 'Variable', type: part.type, span: part.span, id };
    return part.limit === null && part.offset === null ? variable : bounded(part, variable, newVariable);
  };
  return { plan: { ...plan, item: visit(plan.item) }, nested };
}

/** The same, for inspecting the result only. */
export function nestedGroupsOf(plan: Select): ExtractedNestedGroups {
  return extractNestedGroups(plan, () => plan.itemVariable);
}

/** Applies LIMIT and OFFSET to the finished collection. */
function bounded(plan: Select, collection: Plan, newVariable: () => VariableId): Select {
  const row = newVariable();
  const item: Plan = { kind: 'Variable', type: plan.item.type, span: plan.item.span, id: row };
  return {
    ...plainSelect(collection, { row, item, itemVariable: newVariable(), span: plan.span }),
    limit: plan.limit,
    offset: plan.offset,
  };
}

function nestedForm(plan: Select, hasHaving: boolean): Omit<NestedGroups, 'id'> | null {
  const keys = plan.grouping?.keys ?? [];
  const over = overGroup(plan);
  if (over === null || plan.isDistinct || keys.length === 0 || plan.grouping?.sets !== null) return null;
  const { ofRow, conditions } = over;
  const perRow = [...conditions, ...keys.map((key) => key.value), ...aggregatesOf(plan)];
  if (perRow.some(holdsQuery) || (hasHaving && isFallible(plan))) return null;
  const groups = (outer: readonly GroupKey[]): Select => ({
    ...plan,
    where: null,
    grouping: { sets: null, keys: [...outer, ...keys.map((key) => ({ ...key, value: ofRow(key.value) }))] },
    having: plan.having && ofRow(plan.having),
    item: ofRow(plan.item),
    orderBy: plan.orderBy.map((key) => ({ ...key, value: ofRow(key.value) })),
    limit: null,
    offset: null,
  });
  return { type: plan.type, span: plan.span, where: allOf(conditions, plan.span), groups };
}
