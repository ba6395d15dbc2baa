import type { Aggregate, Plan, Select, VariableId } from '../../plan/plan.ts';
import { mapChildren } from '../../plan/map-children.ts';
import type { Type } from '../../types/type.ts';
import { collectionOf, recordOf } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { freshVariable } from '../check-context.ts';
import type { CheckedSource } from './sources.ts';

/**
 * An aggregate of a SELECT that uses what a lambda or a query between here and there binds has no one value for a group: it becomes a
 * query over the rows of the group, as `(SELECT SUM(a + x) FROM *)` would be.
 */
export function overCollectedRows(context: CheckContext, plan: Plan, sources: readonly CheckedSource[]): Plan {
  const walk = (part: Plan, within: ReadonlySet<VariableId>): Plan => {
    if (part.kind === 'Aggregate') return usesAny(part, within) ? overCollected(context, part, sources) : part;
    const below = new Set([...within, ...boundBy(part)]);
    const inside = (child: Plan): Plan => walk(child, below);
    if (part.kind !== 'Select' || part.grouping === null) return mapChildren(part, inside);
    // Aggregates in its items are its own.
    return {
      ...part,
      limit: part.limit === null ? null : inside(part.limit),
      offset: part.offset === null ? null : inside(part.offset),
      sources: part.sources.map((source) => ({ ...source, collection: inside(source.collection) })),
    };
  };
  return walk(plan, new Set());
}

function overCollected(context: CheckContext, aggregate: Aggregate, sources: readonly CheckedSource[]): Select {
  const { span } = aggregate;
  const used = usedRows(aggregate, sources);
  const values = used.map(([id, type]): Plan => ({ kind: 'Variable', type, span, id }));
  const fields = used.map(([, type], i) => ({ name: `r${i}`, type }));
  const [only] = values;
  const row: Plan = values.length === 1 && only !== undefined ? only : { kind: 'RecordLiteral', type: recordOf(fields), span, values };
  const element = freshVariable(context);
  const partOf = (id: VariableId, type: Type): Plan => {
    const target: Plan = { kind: 'Variable', type: row.type, span, id: element };
    return row === only ? target : { kind: 'Field', type, span, target, index: used.findIndex(([other]) => other === id) };
  };
  const moved = (part: Plan): Plan => {
    if (part.kind !== 'Variable') return mapChildren(part, moved);
    return used.some(([id]) => id === part.id) ? { ...partOf(part.id, part.type), span: part.span } : part;
  };
  const rows: Aggregate = {
    ...aggregate,
    function: 'COLLECT',
    type: collectionOf(row.type),
    arguments: [row],
    isDistinct: false,
    orderBy: [],
    filter: null,
  };
  return {
    kind: 'Select',
    type: aggregate.type,
    span,
    sources: [{ row: element, rowType: row.type, position: null, collection: rows, join: 'cross', on: null, isOptional: false }],
    where: null,
    grouping: { keys: [] },
    having: null,
    item: mapChildren(aggregate, moved),
    isSingle: true,
    isDistinct: false,
    itemVariable: freshVariable(context),
    orderBy: [],
    limit: null,
    offset: null,
    order: 'sorted',
  };
}

/** The rows and positions that an aggregate uses, with the types that it sees; of none the first row, to count by. */
function usedRows(aggregate: Aggregate, sources: readonly CheckedSource[]): readonly (readonly [VariableId, Type])[] {
  const own = new Set(sources.flatMap(({ plan }) => (plan.position === null ? [plan.row] : [plan.row, plan.position])));
  const used = new Map<VariableId, Type>();
  const look = (part: Plan): Plan => {
    if (part.kind === 'Variable' && own.has(part.id)) used.set(part.id, part.type);
    return mapChildren(part, look);
  };
  look(aggregate);
  const [first] = sources;
  return used.size > 0 || first === undefined ? [...used] : [[first.plan.row, first.plan.rowType]];
}

function boundBy(plan: Plan): readonly VariableId[] {
  if (plan.kind === 'Let') return [plan.id];
  if (plan.kind === 'Reduce') return [plan.accumulator, plan.element];
  if (plan.kind !== 'Select') return [];
  const rows = plan.sources.flatMap((source) => (source.position === null ? [source.row] : [source.row, source.position]));
  return [...rows, ...(plan.grouping?.keys ?? []).map((key) => key.id), plan.itemVariable];
}

function usesAny(plan: Plan, ids: ReadonlySet<VariableId>): boolean {
  let found = plan.kind === 'Variable' && ids.has(plan.id);
  mapChildren(plan, (child) => {
    found ||= usesAny(child, ids);
    return child;
  });
  return found;
}
