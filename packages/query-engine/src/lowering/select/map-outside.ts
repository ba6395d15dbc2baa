import type { Plan, Select } from '@svc/query-language';

/** A Select with a change of what stands in the place of the SELECT around it: what its FROM reads, and its bounds. */
export function mapOutside(plan: Select, change: (part: Plan) => Plan): Select {
  return {
    ...plan,
    sources: plan.sources.map((source) => ({ ...source, collection: change(source.collection) })),
    limit: plan.limit && change(plan.limit),
    offset: plan.offset && change(plan.offset),
  };
}
