import { assertNever } from '../assert-never.ts';
import type { Plan, Select, SortKey } from './plan.ts';

/** The same node with `map` of each plan directly below it; the node itself where nothing changed. */
export function mapChildren(plan: Plan, map: (child: Plan) => Plan): Plan {
  const one = map;
  const maybe = (child: Plan | null): Plan | null => (child === null ? null : map(child));
  const all = (children: readonly Plan[]): readonly Plan[] => children.map(map);
  const keys = (sortKeys: readonly SortKey[]): readonly SortKey[] => sortKeys.map((key) => ({ ...key, value: map(key.value) }));
  switch (plan.kind) {
    case 'Constant':
    case 'Parameter':
    case 'Variable':
    case 'Read':
    case 'TableScan':
      return plan;
    case 'Let':
      return { ...plan, value: one(plan.value), body: one(plan.body) };
    case 'Convert':
    case 'Cast':
    case 'Try':
    case 'Not':
    case 'IsNull':
      return { ...plan, operand: one(plan.operand) };
    case 'Noted':
      return { ...plan, operand: one(plan.operand), key: one(plan.key) };
    case 'Arithmetic':
    case 'Logical':
    case 'Coalesce':
      return { ...plan, operands: all(plan.operands) };
    case 'Comparison':
      return { ...plan, left: one(plan.left), right: one(plan.right) };
    case 'In':
      return { ...plan, operand: one(plan.operand), collection: one(plan.collection) };
    case 'Like':
      return { ...plan, operand: one(plan.operand), pattern: one(plan.pattern), escape: maybe(plan.escape) };
    case 'Case':
      return {
        ...plan,
        branches: plan.branches.map(({ when, then }) => ({ when: one(when), then: one(then) })),
        otherwise: one(plan.otherwise),
      };
    case 'RecordLiteral':
      return { ...plan, values: all(plan.values) };
    case 'Field':
      return { ...plan, target: one(plan.target) };
    case 'Navigate':
      return { ...plan, target: one(plan.target), key: one(plan.key) };
    case 'Element':
      return { ...plan, target: one(plan.target), index: one(plan.index) };
    case 'CollectionLiteral':
      return { ...plan, elements: all(plan.elements) };
    case 'Call':
      return { ...plan, arguments: all(plan.arguments) };
    case 'Reduce':
      return { ...plan, collection: one(plan.collection), start: one(plan.start), body: one(plan.body) };
    case 'SetOperation':
      return { ...plan, operands: all(plan.operands) };
    case 'Select':
      return {
        ...plan,
        sources: plan.sources.map((source) => ({ ...source, collection: one(source.collection), on: maybe(source.on) })),
        where: maybe(plan.where),
        having: maybe(plan.having),
        item: one(plan.item),
        orderBy: keys(plan.orderBy),
        grouping:
          plan.grouping === null ? null : { ...plan.grouping, keys: plan.grouping.keys.map((key) => ({ ...key, value: one(key.value) })) },
        limit: maybe(plan.limit),
        offset: maybe(plan.offset),
      };
    case 'Aggregate':
      return { ...plan, arguments: all(plan.arguments), orderBy: keys(plan.orderBy), filter: maybe(plan.filter) };
    case 'WindowCall':
      return {
        ...plan,
        arguments: all(plan.arguments),
        filter: maybe(plan.filter),
        partitionBy: all(plan.partitionBy),
        orderBy: keys(plan.orderBy),
        frame:
          plan.frame === null
            ? null
            : {
                unit: plan.frame.unit,
                start: { ...plan.frame.start, offset: maybe(plan.frame.start.offset) },
                end: { ...plan.frame.end, offset: maybe(plan.frame.end.offset) },
              },
      };
    default:
      return assertNever(plan);
  }
}

/** Maps a Select: `outside` over FROM and the bounds, where aggregates belong to the enclosing SELECT, `inside` over the rest. */
export function mapSelect(select: Select, outside: (child: Plan) => Plan, inside: (child: Plan) => Plan): Select {
  const rest = mapChildren({ ...select, sources: [], limit: null, offset: null }, inside) as Select; // the kind is kept
  const bound = (plan: Plan | null): Plan | null => (plan === null ? null : outside(plan));
  const sources = select.sources.map((source) => ({
    ...source,
    collection: outside(source.collection),
    on: source.on === null ? null : inside(source.on),
  }));
  return { ...rest, sources, limit: bound(select.limit), offset: bound(select.offset) };
}
