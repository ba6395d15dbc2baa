import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { inlineDeclarations } from './inline-declarations.ts';

const environment = environmentOf({ t: { type: 'record(a: int, b: int, c: string)', sql: '' } });

/** Returns the rewritten plan of a program. */
function planText(text: string): string {
  return printPlan(inlineDeclarations(planOf(text, environment)));
}

/** Returns the names of the declarations that stay. */
function kept(text: string): readonly string[] {
  return [...planText(text).matchAll(/Let id=\d+ name="(\w+)"/g)].flatMap(([, name]) => name ?? []);
}

test.each([
  ['a value that is used once', 'x := LEN("ab"); x + 1'],
  ['a value that is used once, by another', 'x := LEN("ab"); y := x + 1; y * 2'],
  ['a source that is used once', 'x := (SELECT a FROM t); SELECT x.a FROM x'],
  ['an unused value', 'x := LEN("ab"); 2'],
  ['a record of cheap values', 'x := (a: 1, b: "x"); (x, x, x.a)'],
  ['an aggregate', 'SELECT { m := MIN(a); m + m } AS s FROM t GROUP BY b'],
  ['a value that can fail, used in branches only', 'x := 1 / LEN("ab"); IF LEN("a") = 1 THEN 0 ELSE x + x'],
])('%s is substituted', (_, text) => {
  expect(kept(text)).toEqual([]);
});

test.each([
  ['a value that is used twice', 'x := LEN("ab"); x + x', ['x']],
  ['a value that each row uses', 'x := LEN("ab"); SELECT a + x AS s FROM t', ['x']],
  ['a source that is used twice', 'x := (SELECT a FROM t); SELECT x.a FROM x JOIN x AS y ON x.a = y.a', ['x']],
  ['a record that repeats one that is repeated', 'x := (a: 1, b: 2); y := (l: x, r: x); (y, y)', ['y']],
  ['a value that can fail, used outside of branches', 'x := 1 / LEN("ab"); IF x > 0 THEN x ELSE 0', ['x']],
  ['the value of a query that TRY cannot contain', 'x := (SELECT SUM(a) FROM t); TRY(1 / x)', ['x']],
  ['an aggregate that a nested query uses', 'SELECT { m := MIN(a); (SELECT x - m FROM [1, 2] x) } AS s FROM t GROUP BY b', ['m']],
])('%s stays a declaration', (_, text, names) => {
  expect(kept(text)).toEqual(names);
});

test('of a substituted record, a field is its value', () => {
  expect(planText('x := (a: 1, b: 2); x.b')).toBe('Constant value="2" : int');
});
