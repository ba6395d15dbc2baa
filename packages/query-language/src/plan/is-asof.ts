import type { PlanSource } from './plan.ts';

/** Returns whether a source is joined by ASOF. */
export function isAsof({ join }: Pick<PlanSource, 'join'>): boolean {
  return join === 'asof' || join === 'asof-left';
}
