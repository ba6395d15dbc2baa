import type { SourceRange } from '@svc/api-client';

import type { Style } from '../output/style.ts';
import { drawProblem } from './draw-problem.ts';

const plain = (text: string): string => text;
const PLAIN: Style = { error: plain, frame: plain, strong: plain, faint: plain };

function draw(text: string, range: SourceRange): readonly string[] {
  return drawProblem({ message: 'wrong', positions: [range] }, { name: 'q.rql', text }, PLAIN).split('\n');
}

/** A range within a line; columns begin at 1, and the last is the one behind. */
const at = (line: number, from: number, to: number): SourceRange => ({ begin: { line, column: from }, end: { line, column: to } });

test('carets stand below what they mean, also behind wide characters, accents in two parts and characters of two halves', () => {
  expect(draw('日本 e\u0301😀 stat', at(1, 8, 12))).toEqual([
    'error: wrong',
    ' --> q.rql:1:8',
    '  |',
    '1 | 日本 e\u0301😀 stat',
    `  | ${' '.repeat(9)}^^^^`,
  ]);
});

test('a range over several lines is drawn to the end of its first, and an empty one as one caret', () => {
  const long = draw('SELECT a\r\nFROM b', { begin: { line: 1, column: 8 }, end: { line: 2, column: 5 } });
  expect(long.at(-1)).toBe('  |        ^');
  expect(draw('SELECT', at(1, 7, 7)).at(-1)).toBe('  |       ^');
});

test('a long line is cut to the part around the error', () => {
  const [, , , line = '', carets = ''] = draw(`${'a'.repeat(500)}!${'b'.repeat(500)}`, at(1, 501, 502));
  expect(line).toBe(`1 | …${'a'.repeat(60)}!${'b'.repeat(99)}…`);
  expect(carets.indexOf('^')).toBe(line.indexOf('!'));
});

test('control characters of a source or a message do not reach the terminal, and a line that is not there has no picture', () => {
  expect(draw('a \u001B[31m b', at(1, 1, 2)).join('\n')).not.toContain('\u001B');
  expect(drawProblem({ message: '\u001B]0;title', positions: [] }, { name: '', text: '' }, PLAIN)).toBe('error: \uFFFD]0;title');
  expect(draw('one', at(7, 1, 2))).toEqual(['error: wrong', ' --> q.rql:7:1']);
});
