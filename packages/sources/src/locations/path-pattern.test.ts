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
  ['a*b*c', 'abbcbc', true],
  ['a*b*c', 'abbcb', false],
  ['**', '', true],
  ['*?', 'a', true],
  ['?*?', 'a', false],
])('%s matches %s: %s', (pattern, name, isMatch) => {
  expect(matchSegment(pattern)(name)).toBe(isMatch);
});

test('only stars and question marks make a pattern', () => {
  expect(['a*', 'a?', 'a', '[a]', '{a,b}'].map(isPattern)).toEqual([true, true, false, false, false]);
});

// To try all ways to divide the name among the stars would not end.
test('a pattern of many stars is matched without trying every division of the name', () => {
  expect(matchSegment(`${'*a'.repeat(100)}Z`)('a'.repeat(255))).toBe(false);
  expect(matchSegment(`${'*'.repeat(1000)}Z`)('a'.repeat(255))).toBe(false);
});
