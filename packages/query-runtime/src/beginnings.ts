import { scanNeeds } from '@svc/pg-rows';
import type { Plan } from '@svc/query-language';
import type { ResolvedRead } from '@svc/sources';

import type { CheckWorld } from './complete-check.ts';

/**
 * Replaces the reads of remote files of which a plan uses the first rows only by those of their beginnings, where these hold
 * as many: `LIMIT 10` does not fetch a large object.
 */
export async function withBeginnings(
  plan: Plan,
  reads: ReadonlyMap<string, ResolvedRead>,
  { lease, signal, reading }: Pick<CheckWorld, 'lease' | 'signal' | 'reading'>,
): Promise<ReadonlyMap<string, ResolvedRead>> {
  if ([...reads.values()].every(({ beginning }) => beginning === undefined)) return reads;
  const needs = scanNeeds(plan, (node) => {
    const read = node.kind === 'Read' ? reads.get(node.key) : undefined;
    return node.kind !== 'Read' || read?.beginning === undefined ? null : { source: node.key, type: read.type };
  });
  const used = new Map(reads);
  for (const { source: key, conditions, limit } of needs) {
    // It is not known which rows satisfy a condition.
    if (limit === null || conditions.length > 0) continue;
    const read = await reads.get(key)?.beginning?.(limit, { lease, signal, caller: reading.subject });
    if (read !== null && read !== undefined) used.set(key, read);
  }
  return used;
}
