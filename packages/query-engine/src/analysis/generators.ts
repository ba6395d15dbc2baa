import type { Plan } from '@svc/query-language';
import { findFunction } from '@svc/query-language';

import { somePart } from './variables.ts';

/** Maximum number of elements, characters or copies of a small output. */
const MOST_SMALL = 256;

/** Returns whether a plan contains a generator: a call that produces a large text or collection from a few numbers. */
export function holdsGenerator(plan: Plan): boolean {
  return somePart(plan, isGenerator);
}

/** An unknown output is not small. */
function isGenerator(part: Plan): boolean {
  if (part.kind !== 'Call') return false;
  const count = findFunction(part.function)?.outputCount?.(part.arguments);
  return count !== undefined && !(count <= MOST_SMALL);
}
