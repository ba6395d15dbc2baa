import { SAMPLES } from './generate-literal.ts';
import type { Shape } from './shape.ts';
import { randomNumbers } from './tape.ts';
import type { Value } from './value.ts';
import { Unpromised } from './value.ts';

/** What stands for the value of an expression that failed. */
export type Sampler = (shape: Shape) => Value;

/**
 * Some of the values that an expression may have had if it had not failed, one after the other; which, depends on the seed. What
 * fails is a calculation or a CAST of values that are not NULL, so neither is its value.
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
