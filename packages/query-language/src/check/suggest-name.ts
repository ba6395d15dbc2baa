import { functionNames } from '../functions/find-function.ts';
import { suggest } from '../text/suggest.ts';
import { printName } from '../types/print.ts';
import { namesInSight, type Scope } from './scope.ts';

/** Suggests the nearest name, in back-ticks if it needs them; null if none is near. */
export function suggestName(name: string, names: readonly string[]): string | null {
  const nearest = suggest(name, names);
  return nearest === null ? null : printName(nearest);
}

/** Names of at most this length differ in meaning if one letter is replaced. */
const FEW_LETTERS = 3;

/** The nearest of the names in sight and the built-in functions: one of these begins with the same letter, and if short has the same letters. */
export function suggestFunction(name: string, inSight: readonly string[]): string | null {
  const upper = name.toUpperCase();
  const functions = functionNames().filter(
    (other) =>
      other[0] === upper[0] && (other.length > FEW_LETTERS || other.length !== upper.length || lettersOf(other) === lettersOf(upper)),
  );
  return suggestName(name, [...inSight, ...functions]);
}

function lettersOf(name: string): string {
  return [...name].toSorted().join('');
}

/** Returns the generated name (`_1`, `_2` …) of a visible item without a name; null if all are named. */
export function itemWithoutName(scope: Scope): string | null {
  return namesInSight(scope).find((name) => /^_\d+$/.test(name)) ?? null;
}
