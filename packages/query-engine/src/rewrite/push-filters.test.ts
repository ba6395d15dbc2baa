import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { pushFilters } from './push-filters.ts';

const environment = environmentOf({ t: { type: 'record(a: int, b: int, c: string)', sql: '' } });

const plain = (text: string): string => printPlan(planOf(text, environment));
const pushed = (text: string): string => printPlan(pushFilters(planOf(text, environment)));

test.each([
  ['a field', 'n > 0', 'WHERE a > 0', ''],
  ['what can fail', '10 / n > 1', 'WHERE 10 / a > 1', ''],
  ['a later one, which cannot fail, is moved over one that stays', 'v > 1 AND n > 0', 'WHERE a > 0', 'WHERE v > 1'],
  ['a later one, which can fail, stays behind one that may guard it', 'v > 1 AND 10 / n > 1', '', 'WHERE v > 1 AND 10 / n > 1'],
  ['what the item computes', 'v > 1', '', 'WHERE v > 1'],
])('conditions over items that may fail: %s', (_, where, inside, outside) => {
  const expected = `SELECT v FROM (SELECT 10 / a AS v, a AS n FROM t ${inside}) ${outside}`;
  expect(pushed(`SELECT v FROM (SELECT 10 / a AS v, a AS n FROM t) WHERE ${where}`)).toBe(plain(expected));
});

test('conditions come after those that are there, move through several queries, and may be of the row', () => {
  expect(pushed('SELECT v FROM (SELECT 10 / a AS v, a AS n FROM t WHERE a <> 0) WHERE 10 / n > 1')).toBe(
    plain('SELECT v FROM (SELECT 10 / a AS v, a AS n FROM t WHERE a <> 0 AND 10 / a > 1)'),
  );
  expect(pushed('SELECT w FROM (SELECT v + 1 AS w, m FROM (SELECT 10 / a AS v, a AS m FROM t)) WHERE m > 0')).toBe(
    plain('SELECT w FROM (SELECT v + 1 AS w, m FROM (SELECT 10 / a AS v, a AS m FROM t WHERE a > 0))'),
  );
  expect(pushed('LEN(SELECT v FROM (SELECT DISTINCT 10 / x AS v, x AS n FROM [0, 1] x) WHERE n > 0)')).toBe(
    plain('LEN(SELECT v FROM (SELECT DISTINCT 10 / x AS v, x AS n FROM [0, 1] x WHERE x > 0))'),
  );
});

test.each([
  ['items that cannot fail', '(SELECT c AS v, a AS n FROM t)'],
  ['the rows of LIMIT', '(SELECT 10 / a AS v, a AS n FROM t LIMIT 3)'],
  ['the rows of OFFSET', '(SELECT 10 / a AS v, a AS n FROM t OFFSET 3)'],
  ['groups', '(SELECT 10 / a AS v, a AS n FROM t GROUP BY a)'],
  ['windows', '(SELECT SUM(a) OVER () AS v, a AS n FROM t)'],
  ['rows that are counted', '(SELECT 10 / a AS v, a AS n FROM t) AT p'],
  ['joins', '(SELECT 10 / a AS v, a AS n FROM t) JOIN t AS u ON u.a = n'],
])('conditions stay over %s', (_, from) => {
  const text = `SELECT v FROM ${from} WHERE n > 0`;
  expect(pushed(text)).toBe(plain(text));
});
