import type { Generator } from './generate-scope.ts';
import { pick } from './generate-scope.ts';
import type { Scalar, Shape } from './shape.ts';
import type { Term } from './term.ts';
import type { Value } from './value.ts';

/** Values of each type that are worth a look: the first is the simplest. */
export const SAMPLES: Readonly<Record<Scalar, readonly Exclude<Value, null | object>[]>> = {
  short: [1n, 0n, 2n, -3n, 32_767n, -32_768n],
  int: [1n, 0n, 2n, 3n, -1n, 7n, 100n, 2_147_483_647n, -2_147_483_648n],
  long: [1n, 0n, 2n, -5n, 3_000_000_000n, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n],
  double: [1, 0, 0.5, -2.5, 3, 1e10, Number.NaN, Number.POSITIVE_INFINITY],
  bool: [true, false],
  string: ['a', '', 'b', 'ab', 'B', 'é', 'zz', '🦆', ' '],
};

const FIELDS = ['a', 'b', 'c', 'd', 'k', 'n'] as const;

/** A value of a type without a name in it. */
export function literalOf(generator: Generator, shape: Shape): Term {
  if (shape === 'unknown') return { kind: 'null', shape };
  if (typeof shape === 'string') return { kind: 'literal', shape, value: pick(generator, SAMPLES[shape]) };
  if (shape.kind === 'record') return { kind: 'record', shape, values: shape.fields.map((field) => literalOf(generator, field.shape)) };
  const length = 1 + generator.tape.choose(3);
  const element = (): Term => (generator.tape.chance(10) ? { kind: 'null', shape: 'unknown' } : literalOf(generator, shape.element));
  return { kind: 'collection', shape, elements: [literalOf(generator, shape.element), ...Array.from({ length: length - 1 }, element)] };
}

/** A primitive type. */
export function scalarShape(generator: Generator): Scalar {
  return pick(generator, ['int', 'string', 'double', 'bool', 'long', 'int', 'string', 'short'] as const);
}

/** Some type. */
export function randomShape(generator: Generator, depth: number): Shape {
  if (depth <= 0 || !generator.tape.chance(40)) return scalarShape(generator);
  if (generator.tape.chance(50)) return { kind: 'collection', element: randomShape(generator, depth - 1) };
  return recordShape(generator, depth);
}

/** A record of one to three fields. */
export function recordShape(generator: Generator, depth: number): Shape {
  const first = generator.tape.choose(FIELDS.length);
  const fields = Array.from({ length: 1 + generator.tape.choose(3) }, (_, i) => ({
    name: FIELDS[(first + i) % FIELDS.length] ?? 'a',
    shape: randomShape(generator, depth - 1),
  }));
  return { kind: 'record', fields };
}
