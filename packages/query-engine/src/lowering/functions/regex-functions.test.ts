import { bool, collectionOf, nullable, recordOf, string } from '@svc/query-language';

import { checkFunctions, s, r } from '../../testing/function-cases.ts';
import { countGroups } from './regex-functions.ts';

const ab = nullable(
  recordOf([
    { name: '_1', type: nullable(string) },
    { name: '_2', type: nullable(string) },
  ]),
);

checkFunctions([
  ['MATCHES', [s('abc'), r('[a-c]+')], bool, 'true'],
  ['MATCHES', [s('abcd'), r('[a-c]+')], bool, 'false'],
  ['FIRST_MATCH', [s('a1b22'), r('[0-9]+')], nullable(string), '1'],
  ['FIRST_MATCH', [s('ab'), r('[0-9]+')], nullable(string), 'NULL'],
  ['FIRST_MATCH', [s('ab'), r('[0-9]*')], nullable(string), ''],
  ['GROUPS', [s('ab12'), r('([a-z]+)([0-9]+)?(x)?')], nullable(collectionOf(nullable(string))), '[ab, 12, NULL]'],
  ['GROUPS', [s('!'), r('([a-z]+)')], nullable(collectionOf(nullable(string))), 'NULL'],
  ['GROUPS', [s('ab'), r('a|(ab)')], nullable(collectionOf(nullable(string))), '[ab]'],
  ['GROUPS', [s(''), r('(a)?')], nullable(collectionOf(nullable(string))), '[NULL]'],
  ['GROUPS', [s(''), r('(a)')], nullable(collectionOf(nullable(string))), 'NULL'],
  ['PARSE', [s('ab12'), r('([a-z]+)([0-9]+)')], ab, "{'_1': ab, '_2': 12}"],
  ['PARSE', [s('ab'), r('([a-z]+)([0-9]+)')], ab, "! 'ab' does not match the regex"],
  ['TRY_PARSE', [s('ab'), r('([a-z]+)([0-9]+)')], ab, 'NULL'],
  ['TRY_PARSE', [s('ab'), r('a.')], nullable(string), 'ab'],
  ['TRY_PARSE', [s('ab'), r('a(.)')], nullable(string), 'b'],
]);

test.each([
  ['(a)(?:b)(?P<n>c)(?<m>d)(?i:e)(?i)', 3],
  ['\\(a\\)[(](b)[])(](c)', 2],
  ['[[:alpha:](](a)\\Q(\\E', 1],
  ['((a)b)', 2],
  ['[^)](', 1],
])('the groups of %s are counted', (pattern, count) => {
  expect(countGroups(pattern)).toBe(count);
});
