import type { DataDeclaration } from '../program/term.ts';
import { convert } from '../values/convert.ts';
import type { Value } from '../values/value.ts';
import type { Environment } from './environment.ts';
import { evaluate } from './environment.ts';

/** A declared value, widened to the type that is written. */
export function declaredValue({ value, shape }: DataDeclaration, environment: Environment): Value {
  return convert(evaluate(value, environment), shape ?? value.shape);
}

/** Returns a function that computes a value at its first call. */
export function once(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: compute() }).value;
}
