import type { Like } from '../program/term.ts';
import { textOf } from '../values/convert.ts';
import type { Value } from '../values/value.ts';
import type { Environment } from './environment.ts';
import { evaluate } from './environment.ts';

/** Evaluates LIKE: `%` matches any text, `_` one character, and a character after the escape character matches itself. */
export function evaluateLike({ operand, pattern, escape, isNegated, isOfAnyCase }: Like, environment: Environment): Value {
  const [text, like] = [evaluate(operand, environment), evaluate(pattern, environment)];
  if (text === null || like === null) return null;
  const charactersOf = (value: Value): readonly string[] => {
    const written = textOf(value);
    return [...(isOfAnyCase ? written.toLowerCase() : written)];
  };
  return isLike(charactersOf(text), partsOf(charactersOf(like), escape)) !== isNegated;
}

/** An element of a pattern: a literal character, `%` or `_`. */
interface Part {
  readonly kind: 'any' | 'one' | 'itself';
  readonly character: string;
}

function partsOf(pattern: readonly string[], escape: string | null): readonly Part[] {
  const parts: Part[] = [];
  for (let i = 0; i < pattern.length; i += 1) {
    const isEscaped = pattern[i] === escape;
    if (isEscaped) i += 1;
    const character = pattern[i] ?? '';
    const kind = isEscaped ? 'itself' : character === '%' ? 'any' : character === '_' ? 'one' : 'itself';
    parts.push({ kind, character });
  }
  return parts;
}

function isLike(text: readonly string[], [first, ...rest]: readonly Part[]): boolean {
  if (first === undefined) return text.length === 0;
  if (first.kind === 'any') return Array.from({ length: text.length + 1 }, (_, i) => text.slice(i)).some((end) => isLike(end, rest));
  const [character, ...end] = text;
  return character !== undefined && (first.kind === 'one' || first.character === character) && isLike(end, rest);
}
