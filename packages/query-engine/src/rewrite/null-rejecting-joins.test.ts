import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { rejectNullsInJoins } from './null-rejecting-joins.ts';

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner({});
});
afterAll(() => runner.close());

/** One run in ten lost a row: the fault depends on the memory that the engine hashes. */
const RUNS = 100;

test('a join within a group keeps all rows of it, each time', async () => {
  const text =
    'l := IF LEN("a") = 1 THEN [1, 2, NULL, 3, 4] ELSE []; SELECT (SELECT SUM(t) OVER () FROM * AS t JOIN * AS u ON u = t) AS n FROM l x GROUP BY 1 = 1';
  for (let run = 0; run < RUNS; run += 1) expect(await runner.run(text)).toEqual(['{"n":[10,10,10,10]}']);
});

const environment = environmentOf({
  t: { type: 'record(a: int nullable, b: int)', sql: '' },
  u: { type: 'record(a: int nullable, b: int)', sql: '' },
});

/** Returns the number of IS NULL in the rewritten plan of a program. */
function tests(text: string): number {
  return printPlan(rejectNullsInJoins(planOf(text, environment))).split(': IsNull').length - 1;
}

test.each([
  ['both keys that may be NULL', 'SELECT t.b FROM t JOIN u ON t.a = u.a', 2],
  ['the one key that may be NULL', 'SELECT t.b FROM t JOIN u ON t.a = u.b', 1],
  ['no keys that are never NULL', 'SELECT t.b FROM t JOIN u ON t.b = u.b', 0],
  ['no keys of an outer join', 'SELECT t.b FROM t LEFT JOIN u ON t.a = u.a', 0],
  ['keys in WHERE', 'SELECT t.b FROM t, u WHERE t.a = u.a', 2],
  ['no keys that may fail', 'SELECT t.b FROM t JOIN u ON t.a + 1 = u.b', 0],
  ['no operands of other comparisons', 'SELECT t.b FROM t JOIN u ON t.a < u.a', 0],
])('a join within a row rejects NULL in %s', (_, text, count) => {
  expect(tests(`SELECT (${text}) FROM [1] x`)).toBe(count);
});

test('a join that is within no row stays as it is', () => {
  expect(tests('SELECT t.b FROM t JOIN u ON t.a = u.a')).toBe(0);
  expect(tests('SELECT v.b FROM u v, (SELECT t.b FROM t JOIN u ON t.a = u.a) w')).toBe(0);
});
