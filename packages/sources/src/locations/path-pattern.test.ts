import { isPattern, matchSegment } from './path-pattern.ts';

test.each([
  ['*.csv', 'a.csv', true],
  ['*.csv', 'a.csv.gz', false],
  ['*', '.hidden', false],
  ['.*', '.hidden', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['a?c', 'a😀c', true],
  ['a.c', 'abc', false],
  ['[a]', '[a]', true],
  ['a+(b)|$', 'a+(b)|$', true],
])('%s matches %s: %s', (pattern, name, isMatch) => {
  expect(matchSegment(pattern)(name)).toBe(isMatch);
});

test('only stars and question marks make a pattern', () => {
  expect(['a*', 'a?', 'a', '[a]', '{a,b}'].map(isPattern)).toEqual([true, true, false, false, false]);
});
