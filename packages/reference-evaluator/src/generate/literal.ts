import type { Term } from '../program/term.ts';
import { SAMPLES } from '../values/samples.ts';
import type { Scalar, Shape } from '../values/shape.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';

/** Returns a wider type for a declaration than that of its value, at random. */
export function widened(generator: Generator, shape: Shape): Scalar | null {
  if (typeof shape !== 'string' || shape === 'unknown' || !generator.tape.chance(50)) return null;
  const wider: Readonly<Partial<Record<Scalar, readonly Scalar[]>>> = {
    byte: ['short', 'int', 'float', 'decimal'],
    short: ['int', 'long', 'double', 'decimal'],
    int: ['long', 'float', 'double', 'decimal'],
    long: ['float', 'double'],
    float: ['double'],
    date: ['timestamp'],
  };
  return pick(generator, [shape, ...(wider[shape] ?? [])]);
}

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

const SCALARS: readonly Scalar[] = [
  ...([
    'int',
    'string',
    'double',
    'bool',
    'long',
    'int',
    'string',
    'short',
    'decimal',
    'int',
    'string',
    'double',
    'bool',
    'decimal',
  ] as const),
  ...(['date', 'timestamp', 'interval', 'time', 'timestamp', 'byte', 'float', 'float', 'binary'] as const),
];

/** A primitive type. */
export function scalarShape(generator: Generator): Scalar {
  return pick(generator, SCALARS);
}

/** Generates a random type. */
export function randomShape(generator: Generator, depth: number): Shape {
  if (depth <= 0 || !generator.tape.chance(40)) return scalarShape(generator);
  if (generator.tape.chance(50)) return { kind: 'collection', element: randomShape(generator, depth - 1) };
  return recordShape(generator, depth);
}

/** A record of one to three fields. */
export function recordShape(generator: Generator, depth: number): Shape {
  if (generator.tape.chance(12)) {
    const count = 2 + generator.tape.choose(2);
    return {
      kind: 'record',
      fields: Array.from({ length: count }, (_, i) => ({ name: `_${i + 1}`, shape: randomShape(generator, depth - 1) })),
    };
  }
  const first = generator.tape.choose(FIELDS.length);
  const fields = Array.from({ length: 1 + generator.tape.choose(3) }, (_, i) => ({
    name: FIELDS[(first + i) % FIELDS.length] ?? 'a',
    shape: randomShape(generator, depth - 1),
  }));
  return { kind: 'record', fields };
}
