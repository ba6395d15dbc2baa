import { isExpected } from './compare.ts';
import { evaluateProgram } from './evaluate/program.ts';
import { sampler } from './evaluate/sampler.ts';
import { TABLE_VALUES } from './program/tables.ts';
import type { RandomProgram } from './program/term.ts';
import type { QueryOutcome } from './query-outcome.ts';

/** Number of random values tried in place of each one that failed. */
const SAMPLES = 24;

/**
 * Compares the result of a program in which an unneeded expression failed. The result is correct only if it is the same for
 * every value in place of the failed one. Null if the result differs for one of the sampled values; `open` if the language
 * leaves it open for all of them.
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
