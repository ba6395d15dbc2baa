import type { Call, Plan } from '@svc/query-language';
import { ownValue } from '@svc/query-language';

import { numberOf } from './growth/value-sizes.ts';
import { somePart } from './variables.ts';

/** The most that counts as little. */
const LITTLE = 256;

/** Generators: functions that produce large values from a few numbers, and whether constant arguments produce a small one. */
const MAKERS: Readonly<Record<string, (args: readonly Plan[]) => boolean>> = {
  RANGE: ([from, to, step]) => Math.abs(numberOf(to) - numberOf(from)) <= LITTLE * Math.abs(numberOf(step)),
  TIMESTAMP_RANGE: () => false,
  REPLICATE: ([, count]) => numberOf(count) <= LITTLE,
  LPAD: ([, length]) => numberOf(length) <= LITTLE,
  RPAD: ([, length]) => numberOf(length) <= LITTLE,
};

/** Returns whether a call produces texts or collections of unbounded size from a few numbers. */
function makesMuch({ function: name, arguments: args }: Call): boolean {
  const isLittle = ownValue(MAKERS, name);
  return isLittle !== undefined && !isLittle(args);
}

/** Returns whether some part of a plan is such a generator. */
export function holdsMaker(plan: Plan): boolean {
  return somePart(plan, (part) => part.kind === 'Call' && makesMuch(part));
}
