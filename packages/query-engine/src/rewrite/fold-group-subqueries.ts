import type { Aggregate, Plan, Select, VariableId } from '@svc/query-language';
import { COLLECT, boundBy, mapChildren } from '@svc/query-language';

import { allOf } from '../analysis/conjuncts.ts';
import { somePart, usesAny } from '../analysis/variables.ts';
import { substitute } from './substitute.ts';

/**
 * Rewrites aggregate queries over a group, such as `(SELECT COUNT(*) FROM * WHERE c)`, to aggregates of the grouped Select
 * with FILTER, so that no list of the group is built.
 */
export function foldGroupSubqueries(plan: Plan): Plan {
  return somePart(plan, isGrouped) ? foldAll(plan) : plan;
}

function isGrouped(plan: Plan): plan is Select {
  return plan.kind === 'Select' && plan.grouping !== null;
}

/** Groups around a query are folded before it: it may become a part of theirs. */
function foldAll(plan: Plan): Plan {
  return mapChildren(isGrouped(plan) ? foldGroup(plan) : plan, foldAll);
}

function foldGroup(plan: Select): Select {
  return {
    ...plan,
    item: folded(plan.item),
    having: plan.having && folded(plan.having),
    orderBy: plan.orderBy.map((key) => ({ ...key, value: folded(key.value) })),
  };
}

/** `within` are the variables bound around a part, but below the groups: aggregates of the groups cannot use them. */
function folded(plan: Plan, within: ReadonlySet<VariableId> = new Set()): Plan {
  const below = new Set([...within, ...boundBy(plan)]);
  if (plan.kind !== 'Select') return mapChildren(plan, (child) => folded(child, below));
  const own = usesAny(plan, within) ? null : plan.isSingle ? ownForm(plan) : collectedForm(plan);
  return own ?? { ...plan, sources: plan.sources.map((source) => ({ ...source, collection: folded(source.collection, below) })) };
}

/** Converts a plain SELECT over a group to COLLECT of its items: only they are kept, and sorted as they arrive. Null for others. */
function collectedForm(plan: Select): Plan | null {
  const [source] = plan.sources;
  const over = overGroup(plan);
  if (source === undefined || over === null || plan.grouping !== null || (plan.isDistinct && plan.orderBy.length > 0)) return null;
  const { ofRow, conditions } = over;
  const item = ofRow(plan.item);
  const orderBy = plan.orderBy.map((key) => ({ ...key, value: ofRow(substitute(key.value, plan.itemVariable, item)) }));
  if ([item, ...conditions, ...orderBy.map((key) => key.value)].some(holdsQuery)) return null;
  const collected = withFilter(
    {
      kind: 'Aggregate',
      type: plan.type,
      span: plan.span,
      function: COLLECT,
      arguments: [item],
      isDistinct: plan.isDistinct,
      orderBy,
      filter: null,
    },
    conditions,
  );
  if (plan.limit === null && plan.offset === null) return collected;
  return {
    ...plan,
    where: null,
    orderBy: [],
    isDistinct: false,
    item: { kind: 'Variable', type: item.type, span: plan.item.span, id: source.row },
    sources: [{ ...source, rowType: item.type, collection: collected }],
  };
}

/** The elements of a group, or of a plain SELECT over it, in terms of the group's rows. */
interface GroupElements {
  readonly element: Plan;
  readonly conditions: readonly Plan[];
}

/** An aggregate query over a group as an expression over the group's own aggregates; null for any other. */
function ownForm(plan: Select): Plan | null {
  const over = overGroup(plan);
  if (over === null || plan.having !== null) return null;
  const { ofRow, conditions } = over;
  if ([plan.item, ...conditions].some(holdsQuery)) return null;
  const moved = (part: Plan): Plan => (part.kind === 'Aggregate' ? withFilter(mapOwn(part, ofRow), conditions) : mapChildren(part, moved));
  return moved(plan.item);
}

function mapOwn(aggregate: Aggregate, map: (part: Plan) => Plan): Aggregate {
  return {
    ...aggregate,
    arguments: aggregate.arguments.map(map),
    filter: aggregate.filter && map(aggregate.filter),
    orderBy: aggregate.orderBy.map((key) => ({ ...key, value: map(key.value) })),
  };
}

/** Returns the elements of a collection that is a group, or a query over one; null for others. */
function elementsOf(collection: Plan): GroupElements | null {
  if (collection.kind === 'Aggregate') {
    const [element] = collection.arguments;
    const isGroup =
      collection.function === COLLECT && collection.filter === null && !collection.isDistinct && collection.orderBy.length === 0;
    return isGroup && element !== undefined && isStructural(element) ? { element, conditions: [] } : null;
  }
  if (collection.kind !== 'Select' || collection.isDistinct || collection.grouping !== null) return null;
  if (collection.limit !== null || collection.offset !== null || collection.orderBy.length > 0) return null;
  const over = overGroup(collection);
  // A window ranges over the rows of its own query, and is not a value of one row of the group.
  if (over === null || somePart(collection.item, (part) => part.kind === 'WindowCall')) return null;
  return { element: over.ofRow(collection.item), conditions: over.conditions };
}

/** A query over the elements of a group alone: its conditions, and its parts, in terms of the group's rows. */
interface OverGroup {
  readonly ofRow: (part: Plan) => Plan;
  readonly conditions: readonly Plan[];
}

/** Returns what a query reads of a group; null if it reads something else, or positions. */
export function overGroup({ sources, where }: Select): OverGroup | null {
  const [source] = sources;
  const elements = source === undefined || sources.length > 1 || source.position !== null ? null : elementsOf(source.collection);
  if (source === undefined || elements === null) return null;
  const ofRow = (part: Plan): Plan => substitute(part, source.row, elements.element);
  return { ofRow, conditions: [...elements.conditions, ...(where === null ? [] : [ofRow(where)])] };
}

/** Returns whether an expression can be repeated at no cost for each use of the element. */
function isStructural(plan: Plan): boolean {
  if (plan.kind === 'Field') return isStructural(plan.target);
  return plan.kind === 'Variable' || (plan.kind === 'RecordLiteral' && plan.values.every(isStructural));
}

/** Returns whether a plan needs more than the values of one row. */
export function holdsQuery(plan: Plan): boolean {
  return somePart(plan, ({ kind }) => kind === 'Select' || kind === 'SetOperation' || kind === 'Let' || kind === 'WindowCall');
}

function withFilter(aggregate: Aggregate, conditions: readonly Plan[]): Aggregate {
  return { ...aggregate, filter: allOf([...conditions, ...(aggregate.filter === null ? [] : [aggregate.filter])], aggregate.span) };
}
