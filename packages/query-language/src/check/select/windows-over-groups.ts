import { mapChildren, mapSelect } from '../../plan/map-children.ts';
import { PlanIndex } from '../../plan/plan-index.ts';
import { elementSource } from '../../plan/plain-select.ts';
import type { Plan, Select } from '../../plan/plan.ts';
import { collectionOf, long, recordOf } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { freshVariable, report } from '../check-context.ts';
import { fieldOf } from '../record-fields.ts';
import { keyVariable } from './grouping.ts';

/**
 * Rewrites a grouped Select with windows in its items or ORDER BY to a Select over the groups: records of the keys and
 * aggregates that the items use. Returns any other Select unchanged.
 */
export function windowsOverGroups(context: CheckContext, select: Select): Plan {
  const misplaced = select.having === null ? null : findWindow(select.having);
  if (misplaced !== null) return report(context, 'misplaced-window', misplaced.span);
  const parts = [select.item, ...select.orderBy.map((key) => key.value)];
  const window = parts.map(findWindow).find((found) => found !== null) ?? null;
  if (select.grouping === null || window === null) return select;
  if (select.isSingle) return report(context, 'window-of-one-group', window.span);
  const { keys } = select.grouping;
  const leaves: Plan[] = keys.flatMap((key): readonly Plan[] => {
    const { span } = key.value;
    const bit: readonly Plan[] = key.rolledUp === null ? [] : [{ kind: 'Variable', type: long, span, id: key.rolledUp }];
    return [keyVariable(key, span), ...bit];
  });
  const row = freshVariable(context);
  const places = new PlanIndex<number>();
  for (const [i, leaf] of leaves.entries()) places.add(leaf, i);
  const collect = (leaf: Plan): Plan => {
    if (places.find(leaf) === undefined) places.add(leaf, leaves.push(leaf) - 1);
    return leaf;
  };
  for (const part of parts) replaceLeaves(select, part, collect);
  const rowType = recordOf(leaves.map(({ type }, i) => ({ name: String(i), type })));
  const ofRow = (leaf: Plan): Plan =>
    fieldOf({ kind: 'Variable', type: rowType, span: leaf.span, id: row }, places.find(leaf) ?? -1, leaf.span);
  const groups: Select = {
    ...select,
    type: collectionOf(rowType),
    item: { kind: 'RecordLiteral', type: rowType, span: select.span, values: leaves },
    itemVariable: freshVariable(context),
    orderBy: [],
    limit: null,
    offset: null,
    isDistinct: false,
    order: 'sorted',
  };
  return {
    ...select,
    sources: [elementSource(groups, row)],
    where: null,
    grouping: null,
    having: null,
    item: replaceLeaves(select, select.item, ofRow),
    orderBy: select.orderBy.map((key) => ({ ...key, value: replaceLeaves(select, key.value, ofRow) })),
    order: select.isDistinct ? 'sorted' : 'source',
  };
}

/** Finds a window of the Select: also within FROM and the bounds of a nested Select. */
export function findWindow(plan: Plan): Plan | null {
  if (plan.kind === 'WindowCall') return plan;
  let found: Plan | null = null;
  const visit = (child: Plan): Plan => {
    found ??= findWindow(child);
    return child;
  };
  if (plan.kind === 'Select') mapSelect(plan, visit, (own) => own);
  else mapChildren(plan, visit);
  return found;
}

/** Replaces the keys and aggregates of a Select. Aggregates of a nested grouped Select are its own, except in its FROM and bounds. */
function replaceLeaves(select: Select, plan: Plan, replace: (leaf: Plan) => Plan): Plan {
  const isKey = (part: Plan): boolean =>
    part.kind === 'Variable' && select.grouping?.keys.some((key) => key.id === part.id || key.rolledUp === part.id) === true;
  const visit = (part: Plan): Plan => {
    if (part.kind === 'Aggregate' || isKey(part)) return replace(part);
    return part.kind === 'Select' && part.grouping !== null ? mapSelect(part, visit, visitOwn) : mapChildren(part, visit);
  };
  const visitOwn = (part: Plan): Plan => (isKey(part) ? replace(part) : mapChildren(part, visitOwn));
  return visit(plan);
}
