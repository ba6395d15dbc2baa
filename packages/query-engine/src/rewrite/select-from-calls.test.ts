import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { selectFromCalls } from './select-from-calls.ts';

const environment = environmentOf({ t: { type: 'record(a: int, b: int)', sql: '' } });

/** Returns the rewritten plan of a program. */
function planText(text: string): string {
  return printPlan(selectFromCalls(planOf(text, environment)));
}

test.each([
  ['LEN(t)', 'function="COUNT"'],
  ['CCOUNT(t)', 'function="COUNT"'],
  ['CSUM(t.a)', 'function="SUM"'],
  ['CFIRST(SORT(t.a))', 'function="FIRST"'],
  ['r := (SELECT a FROM t); CMAX(r.a)', 'function="MAX"'],
  ['DISTINCT(t)', 'isDistinct=true'],
  ['SORT(t)', 'orderBy[0].value: Variable'],
  ['TAKE(t, 3)', 'limit: Constant value="3"'],
  ['DROP(t, 3)', 'offset: Constant value="3"'],
])('%s is a SELECT with %s', (text, part) => {
  expect(planText(text)).toContain(part);
  expect(planText(text)).not.toContain('Call');
});

test('a LEN over rows is an int, like any other', () => {
  expect(planText('LEN(t)')).toMatch(/^Select .* : int$/m);
  expect(planText('LEN(t)')).toMatch(/Aggregate function="COUNT" : int$/m);
});

test.each([
  ['of a list', 'CSUM([1, 2])'],
  ['of the collection of a row', 'SELECT CSUM([a, b]) AS s FROM t'],
  ['of a text', 'LEN("abc")'],
  ['with a negative count', 'TAKE(t, -1)'],
  ['with a computed count', 'TAKE(t, LEN("abc"))'],
  ['of another function', 'REVERSE(t)'],
])('a call %s stays', (_, text) => {
  expect(planText(text)).toContain('Call');
});
