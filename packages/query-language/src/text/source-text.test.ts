import { createSourceText } from './source-text.ts';

const positionOf = (text: string, start: number, end: number): string => {
  const { begin, end: last } = createSourceText(text).positionOf({ start, end });
  return `${begin.line}:${begin.column}-${last.line}:${last.column}`;
};

test.each([
  ['bb', 0, 2, '1:1-1:3'],
  ['a\nbb', 2, 4, '2:1-2:3'],
  ['a\r\nbb', 3, 5, '2:1-2:3'],
  ['a\rbb', 2, 4, '2:1-2:3'],
  ['a\n\n', 3, 3, '3:1-3:1'],
  ['', 0, 0, '1:1-1:1'],
  ['"🦆🦆" + x', 7, 10, '1:6-1:9'],
  ['🦆\nx', 3, 4, '2:1-2:2'],
  ['"e\u0301" x', 5, 6, '1:6-1:7'],
])('%j from %i to %i is at %s', (text, start, end, expected) => {
  expect(positionOf(text, start, end)).toBe(expected);
});

test('an offset past the end is the end', () => {
  expect(positionOf('ab', 1, 99)).toBe('1:2-1:3');
});
