import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { foldGroupSubqueries } from './fold-group-subqueries.ts';
import { topNPerGroup } from './top-n-per-group.ts';

const environment = environmentOf({ t: { type: 'record(a: int, b: int, c: string)', sql: '' } });

/** Returns the plan of a query over `t` by `a`. */
function planText(item: string): string {
  return printPlan(topNPerGroup(foldGroupSubqueries(planOf(`SELECT a, ${item} FROM t GROUP BY a`, environment))));
}

test.each([
  ['(SELECT b FROM * ORDER BY c LIMIT 3)', '3'],
  ['(SELECT b FROM * ORDER BY c LIMIT 3 OFFSET 2)', '5'],
  ['(SELECT b FROM * LIMIT 1)', '1'],
  ['(SELECT b FROM * ORDER BY c LIMIT 1000)', '1000'],
])('of %s the aggregate keeps %s rows', (item, count) => {
  expect(planText(item)).toMatch(new RegExp(`function="COLLECT_FIRST"[^]*arguments\\[1\\]: Constant value="${count}"`));
});

test.each([
  ['all rows', '(SELECT b FROM * ORDER BY c)'],
  ['more rows than are worth it', '(SELECT b FROM * ORDER BY c LIMIT 1001)'],
  ['rows of a window', '(SELECT SUM(b) OVER () FROM * LIMIT 3)'],
  ['distinct rows', '(SELECT DISTINCT b FROM * LIMIT 3)'],
  ['a number of rows that is known at run time', '(SELECT b FROM * ORDER BY c LIMIT LEN("abc"))'],
])('the aggregate of %s keeps all', (_, item) => {
  expect(planText(item)).not.toContain('COLLECT_FIRST');
});
