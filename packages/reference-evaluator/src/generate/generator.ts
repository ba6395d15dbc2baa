import type { FunctionDeclaration, Term } from '../program/term.ts';
import type { Tape } from '../tape.ts';
import type { Shape } from '../values/shape.ts';
import type { Scope } from './scope.ts';

/** State of a generator, and its entry points for the parts of an expression. */
export interface Generator {
  readonly tape: Tape;
  /** A new number, for a variable or a SELECT. */
  readonly fresh: () => number;
  readonly functions: readonly FunctionDeclaration[];
  /** Number of expressions left before only leaves are generated. */
  fuel: number;
  /** Generates an expression of a type, of at most `depth` levels. */
  readonly expression: (shape: Shape, scope: Scope, depth: number) => Term;
  /** Generates a SELECT of `*` or `alias.*`, whose type follows from its sources. */
  readonly spreadSelect: (scope: Scope, depth: number) => Term;
}

/** Picks one of several choices. */
export function pick<T>(generator: Generator, choices: readonly T[]): T {
  const chosen = choices[generator.tape.choose(choices.length)];
  if (chosen === undefined) throw new Error('there is nothing to choose from');
  return chosen;
}

/** Picks one or more of several choices, in their order. */
export function someOf<T>(generator: Generator, choices: readonly T[]): readonly T[] {
  const first = pick(generator, choices);
  return choices.filter((choice) => choice === first || generator.tape.chance(50));
}

/** Generates an expression of the given type. */
export type Maker = (generator: Generator, shape: Shape, scope: Scope, depth: number) => Term;
