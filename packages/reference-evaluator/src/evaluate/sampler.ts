import { randomNumbers } from '../tape.ts';
import { SAMPLES } from '../values/samples.ts';
import type { Shape } from '../values/shape.ts';
import type { Value } from '../values/value.ts';
import { Unpromised } from '../values/value.ts';

/** Returns a value in place of one whose expression failed. */
export type Sampler = (shape: Shape) => Value;

/**
 * Creates a sampler: a sequence of values that a failed expression could have had, determined by the seed. Never NULL, since
 * only calculations and CASTs of values that are not NULL fail.
 */
export function sampler(seed: number): Sampler {
  const random = randomNumbers(seed);
  return (shape) => {
    const samples = typeof shape === 'string' && shape !== 'unknown' ? SAMPLES[shape] : [];
    const sample = samples[Math.floor(random() * samples.length)];
    if (sample === undefined) throw new Unpromised('what a failed value may have been');
    return sample;
  };
}
