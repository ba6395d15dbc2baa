import type { Term } from '../program/term.ts';
import type { CollectionShape, RecordShape } from '../values/shape.ts';
import type { Generator, Maker } from './generator.ts';
import { pick } from './generator.ts';
import { orNull } from './leaf.ts';

const TO_TEXT = ['int', 'double', 'bool', 'long', 'decimal', 'date', 'timestamp', 'time', 'string'] as const;

const TEMPLATES = ['yyyy-MM-dd', 'dd.MM.yyyy', 'EEEE d MMM', 'D/yyyy'] as const;

/** With one group; never matches an empty text. */
const FOUND = ['(a)b?', '([a-z])', '(é|z+)', '(.)$', '^(.)'] as const;

/** With one group, or none. */
const CAPTURING = ['(a)b?', '[a-z]+', '(.*)', 'a?(b*)', '.*'] as const;

/** With several groups. */
const SEVERAL = ['(.)(.*)', '(a)?(b)?', '(?<a>[a-z]*)(?<b>.*)'] as const;

/** A regex that both RE2 and the evaluator read in one way. */
function regexOf(g: Generator, patterns: readonly string[]): Term {
  return { kind: 'regex', shape: 'string', pattern: pick(g, patterns) };
}

/** `texts PARSE AS regex`, GROUPS and SPLIT: collections of texts. */
export const textsCall: Maker = (g, shape, scope, depth) => {
  const text = (): Term => g.expression('string', scope, depth);
  const parsed = { kind: 'parse-as', onFail: pick(g, ['null', 'skip'] as const) } as const;
  // Windows of the enclosing SELECT are not allowed: the operand is a query of its own.
  const texts = (): Term => g.expression(shape, { ...scope, window: null }, depth);
  switch (g.tape.choose(4)) {
    case 0:
      return {
        kind: 'call',
        shape,
        name: 'SPLIT',
        arguments: [text(), { kind: 'literal', shape: 'string', value: pick(g, ['a', 'b', '-']) }],
      };
    case 1:
      return { kind: 'call', shape, name: 'GROUPS', arguments: [text(), regexOf(g, [...SEVERAL, ...CAPTURING])] };
    case 2: {
      const names = g.tape.chance(50) ? (['_1', '_2'] as const) : (['a', 'b'] as const);
      const pattern = names[0] === 'a' ? '(?<a>[a-z]*)(?<b>.*)' : pick(g, ['(.)(.*)', '(a)?(b)?']);
      const record: RecordShape = { kind: 'record', fields: names.map((name) => ({ name, shape: 'string' })) };
      const target: Term = { ...parsed, shape: { kind: 'collection', element: record }, operand: texts(), pattern };
      const index = g.tape.choose(2);
      return { kind: 'field', shape, target, index, name: names[index] ?? '', isBare: false };
    }
    default:
      return { ...parsed, shape: shape as CollectionShape, operand: texts(), pattern: pick(g, CAPTURING) };
  }
};

/** Generates a function that returns bytes. */
export const bytesCall: Maker = (g, shape, scope, depth) => {
  const call = (name: string, argument: Term): Term => ({ kind: 'call', shape, name, arguments: [argument] });
  const bytes = (): Term => g.expression('binary', scope, depth);
  switch (g.tape.choose(4)) {
    case 0:
      return call('ENCODE', g.expression('string', scope, depth));
    case 1:
      return call(pick(g, ['SHA256', 'MD5']), bytes());
    case 2:
      return call('FROM_HEX', { kind: 'call', shape: 'string', name: 'HEX', arguments: [bytes()] });
    default:
      return call('FROM_BASE64', { kind: 'call', shape: 'string', name: 'BASE64', arguments: [bytes()] });
  }
};

/** Generates a function that returns a text. */
export const textCall: Maker = (g, shape, scope, depth) => {
  const count = (...values: readonly bigint[]): Term => ({ kind: 'literal', shape: 'int', value: pick(g, values) });
  const text = (): Term => g.expression('string', scope, depth);
  const bytes = (): Term => g.expression('binary', scope, depth);
  // The result of replacing an empty text, and of a position before the first, is not specified.
  const what: Term = { kind: 'literal', shape: 'string', value: pick(g, ['a', 'b', 'ab', '🦆']) };
  const fill: Term = { kind: 'literal', shape: 'string', value: pick(g, ['-', 'ab', '🦆']) };
  const template: Term = { kind: 'literal', shape: 'string', value: pick(g, TEMPLATES) };
  const [name, args] = pick<readonly [string, () => readonly Term[]]>(g, [
    ['UPPER', () => [text()]],
    ['LOWER', () => [text()]],
    ['TRIM', () => [text()]],
    ['LEFT', () => [text(), count(1n, 0n, 2n, -1n)]],
    ['RIGHT', () => [text(), count(1n, 0n, 2n, -1n)]],
    ['SUBSTRING', () => [text(), count(1n, 2n, 3n), ...(g.tape.chance(50) ? [count(1n, 0n, 2n, -1n)] : [])]],
    ['REPLACE', () => [text(), what, text()]],
    ['CONCAT', () => [text(), orNull(g, text()), text()]],
    ['LTRIM', () => [text()]],
    ['RTRIM', () => [text()]],
    ['CAPITALIZE', () => [text()]],
    ['INITCAP', () => [text()]],
    ['REVERSE', () => [text()]],
    ['LPAD', () => [text(), count(3n, 0n, 1n, 5n), fill]],
    ['RPAD', () => [text(), count(3n, 0n, 1n, 5n), fill]],
    ['REPLICATE', () => [text(), count(2n, 0n, 1n, 3n)]],
    ['MKSTRING', () => [g.expression({ kind: 'collection', element: 'string' }, scope, depth), fill]],
    ['STRING', () => [g.expression(pick(g, TO_TEXT), scope, depth)]],
    ['HEX', () => [bytes()]],
    ['BASE64', () => [bytes()]],
    ['DECODE', () => [bytes()]],
    ['CHR', () => [count(97n, 233n, 129_414n)]],
    ['URL_ENCODE', () => [text()]],
    ['FORMAT', () => [g.expression(pick(g, ['date', 'timestamp'] as const), scope, depth), template]],
    ['FIRST_MATCH', () => [text(), regexOf(g, FOUND)]],
    ['REPLACE', () => [text(), regexOf(g, FOUND), { kind: 'literal', shape: 'string', value: pick(g, ['-', '', '<$1>', '$1$1']) }]],
    ['TRY_PARSE', () => [text(), regexOf(g, CAPTURING)]],
    ['PARSE', () => [text(), regexOf(g, CAPTURING)]],
  ]);
  return { kind: 'call', shape, name, arguments: args() };
};

/** Generates a predicate on a text: whether it contains or matches another one. */
export const found: Maker = (g, shape, scope, depth) => {
  const name = pick(g, ['STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'MATCHES'] as const);
  const second = name === 'MATCHES' ? regexOf(g, [...CAPTURING, ...SEVERAL, ...FOUND]) : g.expression('string', scope, depth);
  return { kind: 'call', shape, name, arguments: [g.expression('string', scope, depth), second] };
};
