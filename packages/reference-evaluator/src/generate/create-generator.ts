import type { FunctionDeclaration } from '../program/term.ts';
import type { Tape } from '../tape.ts';
import { expression } from './expression.ts';
import type { Generator } from './generator.ts';
import { spreadSelect } from './spread.ts';

/** Creates a generator of programs: the tape decides all about them. Its variables have numbers above 100. */
export function createGenerator(tape: Tape, functions: readonly FunctionDeclaration[], fuel: number): Generator {
  let last = 100;
  const generator: Generator = {
    tape,
    functions,
    fuel,
    fresh: () => (last += 1),
    expression: (shape, scope, depth) => expression(generator, shape, scope, depth),
    spreadSelect: (scope, depth) => spreadSelect(generator, scope, depth),
  };
  return generator;
}
