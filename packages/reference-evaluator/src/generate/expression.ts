import type { Term } from '../program/term.ts';
import type { Shape } from '../values/shape.ts';
import { aggregateOf } from './aggregate.ts';
import { general } from './general.ts';
import type { Generator } from './generator.ts';
import { pick, someOf } from './generator.ts';
import { leaf } from './leaf.ts';
import { makersOf } from './makers.ts';
import type { Scope } from './scope.ts';
import { windowOf } from './window.ts';

/** An expression of a type. */
export function expression(generator: Generator, shape: Shape, scope: Scope, depth: number): Term {
  generator.fuel -= 1;
  if (depth <= 0 || generator.fuel <= 0) return leaf(generator, shape, scope);
  if (scope.group?.hasGroupings === true && shape === 'long' && scope.group.keys.length > 0 && generator.tape.chance(25))
    return { kind: 'grouping', shape, keys: someOf(generator, scope.group.keys) };
  if (scope.group !== null && generator.tape.chance(35)) {
    const aggregate = aggregateOf(generator, shape, scope, depth - 1);
    if (aggregate !== null) return aggregate;
  }
  if (scope.window !== null && shape !== 'unknown' && generator.tape.chance(12)) return windowOf(generator, shape, scope.window, depth - 1);
  const maker = pick(generator, [leaf, ...makersOf(shape), general, leaf]);
  return maker(generator, shape, scope, depth - 1);
}
