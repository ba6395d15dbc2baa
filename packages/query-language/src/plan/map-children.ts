import type { ChildMember } from './child-members.ts';
import { childMembersOf } from './child-members.ts';
import type { Plan, Select } from './plan.ts';

/** Returns the node with `map` applied to each direct child. Returns the same node if it has no children. */
export function mapChildren(plan: Plan, map: (child: Plan) => Plan): Plan {
  return rebuilt(plan, childMembersOf(plan), map);
}

function rebuilt<Holder extends object>(holder: Holder, members: readonly ChildMember[], map: (child: Plan) => Plan): Holder {
  if (members.length === 0) return holder;
  const copy = { ...holder } as Record<string, unknown>;
  for (const { name, within } of members) {
    const value = copy[name];
    const mapped = (element: object): object => (within === null ? map(element as Plan) : rebuilt(element, within, map)); // no members within: plans
    if (Array.isArray(value)) copy[name] = (value as readonly object[]).map(mapped);
    else if (typeof value === 'object' && value !== null) copy[name] = mapped(value);
  }
  return copy as Holder; // each member is replaced by its like
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
