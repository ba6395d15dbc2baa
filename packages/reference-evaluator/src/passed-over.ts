import { isExpected } from './compare.ts';
import { evaluateProgram } from './evaluate.ts';
import type { QueryOutcome } from './query-outcome.ts';
import { sampler } from './sample.ts';
import { TABLE_VALUES } from './tables.ts';
import type { RandomProgram } from './program.ts';

/** So many values are tried, at random, in place of each that failed. */
const SAMPLES = 24;

/**
 * A failure may be passed over, but only where the result is the same whatever the value was that failed: then nobody needed
 * it. Null where the result of a program that fails is another for one of the values tried; `open` where the language leaves
 * it open for all of them.
 */
export function passedOver(
  program: RandomProgram,
  { lines, type }: Pick<Extract<QueryOutcome, { readonly kind: 'result' }>, 'lines' | 'type'>,
): 'passed-over' | 'open' | null {
  const tried = Array.from({ length: SAMPLES }, (_, seed) => evaluateProgram(program, TABLE_VALUES, sampler(seed)));
  const values = tried.flatMap((expected) => (expected.kind === 'value' ? [expected.value] : []));
  if (tried.some(({ kind }) => kind === 'failure')) return null;
  if (values.some((value) => !isExpected(lines, type, value, program.result.shape))) return null;
  return values.length > 0 ? 'passed-over' : 'open';
}
