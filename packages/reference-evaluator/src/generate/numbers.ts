import type { Term } from '../program/term.ts';
import type { Scalar, Shape } from '../values/shape.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';
import { scalarShape } from './literal.ts';
import type { Scope } from './scope.ts';
import { PARTS } from './temporal.ts';

/** A function and its arguments: given terms, and the types of those to generate. */
export type Written = readonly [name: string, arguments: readonly (Shape | Term)[]];

const NUMBERS: readonly Scalar[] = ['double', 'int', 'decimal', 'long', 'short', 'float', 'byte'];

const OF_DOUBLE = ['SQRT', 'POWER', 'SQUARE', 'EXP', 'LN', 'LOG10', 'LOG2', 'CBRT', 'SIN', 'COS', 'ATAN', 'RADIANS'] as const;

const collection = (element: Shape): Shape => ({ kind: 'collection', element });

/** Generates an integer literal. */
export function wholeLiteral(generator: Generator, ...values: readonly bigint[]): Term {
  return { kind: 'literal', shape: 'int', value: pick(generator, values) };
}

/** Returns calls with a numeric result of a type. */
export function numberCalls(generator: Generator, shape: Scalar): readonly Written[] {
  const places = (): readonly Term[] => (generator.tape.chance(50) ? [wholeLiteral(generator, 0n, 1n, 2n, -1n)] : []);
  return [
    ['ABS', [shape]],
    ['GREATEST', [shape, shape]],
    ['LEAST', [shape, shape]],
    ['NULLIF', [shape, shape]],
    ['CMIN', [collection(shape)]],
    ['CMAX', [collection(shape)]],
    ['ROUND', [shape, ...places()]],
    ['TRUNCATE', [shape, ...places()]],
    ['MOD', [shape, shape]],
    ...(OF_TYPE[shape]?.(generator) ?? []),
  ];
}

const OF_TYPE: Readonly<Partial<Record<Scalar, (generator: Generator) => readonly Written[]>>> = {
  decimal: () => [
    ['CSUM', [collection('decimal')]],
    ['CAVG', [collection('decimal')]],
  ],
  int: (g) => [
    pick(g, PARTS),
    pick(g, PARTS),
    ['CHARINDEX', ['string', 'string']],
    ['LEN', ['string']],
    ['LEN', [collection(scalarShape(g))]],
    ['SIGN', [pick(g, NUMBERS)]],
    ['LEVENSHTEIN', ['string', 'string']],
    ['COUNT_SUBSTRING', ['string', { kind: 'literal', shape: 'string', value: pick(g, ['a', 'b', 'ab']) }]],
    ['ASCII', ['string']],
    ['LENGTH', ['string']],
    ['LEN', ['binary']],
  ],
  long: (g) => [
    ['CCOUNT', [collection(scalarShape(g))]],
    ['CSUM', [collection('int')]],
    ['CSUM', [collection('long')]],
    ['FLOOR', [pick(g, NUMBERS)]],
    ['CEILING', [pick(g, NUMBERS)]],
  ],
  double: (g) => {
    const operand = pick(g, ['double', 'double', 'int', 'long', 'float'] as const);
    const name = pick(g, OF_DOUBLE);
    return [
      ['CSUM', [collection('double')]],
      ['CAVG', [collection('int')]],
      ['CAVG', [collection('double')]],
      [name, name === 'POWER' ? [operand, wholeLiteral(g, 2n, 3n, 0n, -1n)] : [operand]],
      ['TO_EPOCH', [pick(g, ['timestamp', 'interval'])]],
    ];
  },
};

/** Generates a call of a function: arguments given as types are generated. */
export function callOf(generator: Generator, shape: Shape, [name, args]: Written, scope: Scope, depth: number): Term {
  const made = args.map((one) => (typeof one === 'object' && 'shape' in one ? one : generator.expression(one, scope, depth)));
  return { kind: 'call', shape, name, arguments: made };
}
