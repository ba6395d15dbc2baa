import type { Term } from '../program/term.ts';
import type { Shape } from '../values/shape.ts';
import type { Generator } from './generator.ts';
import { randomShape } from './literal.ts';
import type { Scope } from './scope.ts';

/** `TRANSFORM`, `FILTER`, `ANY`, `ALL` and `FIND_FIRST` with a lambda over a collection of elements of a type. */
export function lambdaCall(
  generator: Generator,
  at: { readonly name: 'TRANSFORM' | 'FILTER' | 'ANY' | 'ALL' | 'FIND_FIRST'; readonly shape: Shape; readonly element: Shape },
  scope: Scope,
  depth: number,
): Term {
  const { name, shape, element } = at;
  // Windows of the enclosing SELECT are not allowed: the collection of a lambda is a query of its own.
  const collection = generator.expression({ kind: 'collection', element }, { ...scope, window: null }, depth);
  const parameter = { id: generator.fresh(), name: 'z', shape: element };
  const frame = { aliases: [{ name: 'z', term: { kind: 'variable', ...parameter } as const }], fields: [], blocked: [] };
  const inner: Scope = { frames: [...scope.frames, frame], group: null, star: null, window: null };
  const result: Shape = name !== 'TRANSFORM' ? 'bool' : typeof shape === 'object' && shape.kind === 'collection' ? shape.element : shape;
  return { kind: 'lambda-call', shape, name, collection, parameter, body: generator.expression(result, inner, depth), function: null };
}

/** `REDUCE` of a collection to a value of a type. */
export function reduction(generator: Generator, shape: Shape, scope: Scope, depth: number): Term {
  const over = randomShape(generator, 1);
  // The collection may have no windows of the SELECT around, as that of a lambda.
  const collection = generator.expression({ kind: 'collection', element: over }, { ...scope, window: null }, depth);
  const sofar = { id: generator.fresh(), name: 'y', shape };
  const element = { id: generator.fresh(), name: 'z', shape: over };
  const aliases = [sofar, element].map((parameter) => ({ name: parameter.name, term: { kind: 'variable', ...parameter } as const }));
  const inner: Scope = { frames: [...scope.frames, { aliases, fields: [], blocked: [] }], group: null, star: null, window: null };
  const start = generator.expression(shape, scope, depth);
  return { kind: 'reduce', shape, collection, start, sofar, element, body: generator.expression(shape, inner, depth) };
}
