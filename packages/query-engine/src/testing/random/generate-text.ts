import { expression, orNull } from './generate.ts';
import type { Maker } from './generate-makers.ts';
import { pick } from './generate-scope.ts';
import type { Term } from './term.ts';

/** A function that gives a text. */
export const textCall: Maker = (g, shape, scope, depth) => {
  const count = (...values: readonly bigint[]): Term => ({ kind: 'literal', shape: 'int', value: pick(g, values) });
  const text = (): Term => expression(g, 'string', scope, depth);
  // What an empty text is replaced by, and what is before the first place, is not told.
  const what: Term = { kind: 'literal', shape: 'string', value: pick(g, ['a', 'b', 'ab', '🦆']) };
  const [name, args] = pick<readonly [string, () => readonly Term[]]>(g, [
    ['UPPER', () => [text()]],
    ['LOWER', () => [text()]],
    ['TRIM', () => [text()]],
    ['LEFT', () => [text(), count(1n, 0n, 2n)]],
    ['RIGHT', () => [text(), count(1n, 0n, 2n)]],
    ['SUBSTRING', () => [text(), count(1n, 2n, 3n), ...(g.tape.chance(50) ? [count(1n, 0n, 2n, -1n)] : [])]],
    ['REPLACE', () => [text(), what, text()]],
    ['CONCAT', () => [text(), orNull(g, text()), text()]],
  ]);
  return { kind: 'call', shape, name, arguments: args() };
};

/** What a text is asked for: whether another is in it. */
export const found: Maker = (g, shape, scope, depth) => ({
  kind: 'call',
  shape,
  name: pick(g, ['STARTS_WITH', 'ENDS_WITH', 'CONTAINS']),
  arguments: [expression(g, 'string', scope, depth), expression(g, 'string', scope, depth)],
});
