import type { Plan } from '@svc/query-language';
import { findFunction } from '@svc/query-language';

import { somePart } from './variables.ts';

/** Returns whether a plan is volatile: its value depends on when and how often it is evaluated. */
export function isVolatile(plan: Plan): boolean {
  return somePart(plan, (part) => part.kind === 'Call' && findFunction(part.function)?.isVolatile === true);
}
