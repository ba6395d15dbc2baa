import type { Plan, Select } from '@svc/query-language';

/** Maps the parts of a Select that belong to the enclosing SELECT: the collections of its FROM, and its bounds. */
export function mapOutside(plan: Select, change: (part: Plan) => Plan): Select {
  return {
    ...plan,
    sources: plan.sources.map((source) => ({ ...source, collection: change(source.collection) })),
    limit: plan.limit && change(plan.limit),
    offset: plan.offset && change(plan.offset),
  };
}
