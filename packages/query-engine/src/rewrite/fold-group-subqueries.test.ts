import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { foldGroupSubqueries } from './fold-group-subqueries.ts';

const environment = environmentOf({ t: { type: 'record(a: int, b: int, c: string)', sql: '' } });

/** The aggregates of a plan, and the SELECTs, with their depth in it. */
function partsOf(text: string): readonly string[] {
  const lines = printPlan(foldGroupSubqueries(planOf(text, environment))).split('\n');
  return lines.flatMap((line) => {
    const found = /(Aggregate function="\w+"|Select )/.exec(line)?.[1];
    return found === undefined ? [] : [found.trim().replace(/Aggregate function="(\w+)"/, '$1')];
  });
}

test.each([
  ['a count of its rows', 'SELECT a, (SELECT COUNT(*) FROM *) FROM t GROUP BY a', ['Select', 'COUNT']],
  ['a count of some rows', 'SELECT a, (SELECT COUNT(*) FROM * WHERE b > 1) FROM t GROUP BY a', ['Select', 'COUNT']],
  ['its values', 'SELECT a, (SELECT b FROM *) FROM t GROUP BY a', ['Select', 'COLLECT']],
  ['its values in an order', 'SELECT a, (SELECT b FROM * ORDER BY c) FROM t GROUP BY a', ['Select', 'COLLECT']],
  [
    'a query over a query over it',
    'SELECT a, (SELECT MAX(x) FROM (SELECT b AS x FROM * WHERE c = "x")) FROM t GROUP BY a',
    ['Select', 'MAX'],
  ],
  ['a query in HAVING', 'SELECT a FROM t GROUP BY a HAVING (SELECT MAX(b) FROM *) > 1', ['Select', 'MAX']],
  [
    'the first of its values: a SELECT of them',
    'SELECT a, (SELECT b FROM * ORDER BY c LIMIT 2) FROM t GROUP BY a',
    ['Select', 'Select', 'COLLECT'],
  ],
])('of a group, %s becomes an aggregate', (_, text, parts) => {
  expect(partsOf(text)).toEqual(parts);
});

test.each([
  ['a join', 'SELECT a, (SELECT COUNT(*) FROM * AS x JOIN * AS y ON x.b = y.b) FROM t GROUP BY a'],
  ['windows', 'SELECT a, (SELECT SUM(b) OVER () FROM *) FROM t GROUP BY a'],
  ['a value of a query around it', 'SELECT a, (SELECT (SELECT COUNT(*) FROM t WHERE t.b = x.b) FROM * AS x) FROM t GROUP BY a'],
])('of a group, a query with %s stays a query', (_, text) => {
  const plan = planOf(text, environment);
  expect(printPlan(foldGroupSubqueries(plan))).toBe(printPlan(plan));
});

test('a plan without groups is the same plan', () => {
  const plan = planOf('SELECT a FROM t WHERE b > 1', environment);
  expect(foldGroupSubqueries(plan)).toBe(plan);
});
