import type { Term } from '../program/term.ts';
import type { Shape } from '../values/shape.ts';
import { isSameShape } from '../values/shape.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';
import { literalOf } from './literal.ts';
import type { Scope } from './scope.ts';
import { referencesIn } from './scope.ts';

/** Generates a name if there is one, else a literal. */
export function leaf(generator: Generator, shape: Shape, scope: Scope): Term {
  const found = referencesIn(scope).filter((reference) => isSameShape(reference.shape, shape));
  if (found.length > 0 && generator.tape.chance(80)) return pick(generator, found);
  return literalOf(generator, shape);
}

const NULL: Term = { kind: 'null', shape: 'unknown' };

/** Replaces an expression by NULL at random, where another one determines the type. */
export function orNull(generator: Generator, term: Term): Term {
  return generator.tape.chance(8) ? NULL : term;
}
