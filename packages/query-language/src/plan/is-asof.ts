import type { PlanSource } from './plan.ts';

/** Whether a source is joined by the nearest of its rows. */
export function isAsof({ join }: Pick<PlanSource, 'join'>): boolean {
  return join === 'asof' || join === 'asof-left';
}
