import { openQueryRunner, type QueryRunner } from '../../testing/query-runner.ts';

let runner: QueryRunner;
beforeAll(async () => {
  const type = 'record(n: int, big: int, k: int, s: string, m: int nullable, l: collection(int), t: collection(string))';
  const rows = `VALUES (1, 7, 1, '1', 1, [1, 2], ['1']), (2, 2147483647, 0, 'x', NULL, [0], ['x'])`;
  runner = await openQueryRunner({ r: { type, sql: `SELECT * FROM (${rows}) AS v(n, big, k, s, m, l, t)` } });
});
afterAll(() => runner.close());

/** Hold for the first row only; some can fail, and so does each condition for the second row. */
const GUARDS = [
  'n = 1',
  'n + 1 = 2',
  'n % 2 = 1',
  'n * 3 IN [3, 4]',
  'CAST(n AS byte) < 2',
  'm IS NOT NULL',
  'LENGTH(s || s) + n = 3 AND s LIKE "%1%"',
];
const FAILING = [
  '10 / k = 10',
  '10 / k IN [10]',
  '10 / k BETWEEN 9 AND 11',
  '(10 / k) IS NOT NULL',
  'NOT (10 / k IS NULL)',
  '(10 / k = 10 OR s = "y")',
  'NOT (10 / k = 9 OR s = "y")',
  'CASE WHEN 10 / k = 10 THEN TRUE ELSE FALSE END',
  'COALESCE(10 / k, 1) = 10',
  '(big + big) IS NOT NULL',
  'big * 2 IN [14]',
  'CAST(s AS int) IS NOT NULL',
  'CAST(s AS int) IN (SELECT n FROM r)',
  'LEN(TRANSFORM(l, \\(x) -> 10 / x)) = 2',
  'TRANSFORM(l, \\(x) -> 10 / x) IS NOT NULL',
  'EXISTS(FILTER(l, \\(x) -> 10 / x > 1))',
  'LEN(SELECT 10 / x AS y FROM l x) > 1',
  '(SELECT COUNT(*) FROM l x WHERE 10 / x > 1) = 2',
  'REDUCE(l, 0, \\(a, x) -> a + 10 / x) IN [15]',
  'LEN(CAST(t AS collection(int))) = 1',
  '10 / k = 10 AND (10 / k) IS NOT NULL AND 10 / k IN [10]',
];

test.each(GUARDS.flatMap((guard) => FAILING.map((condition) => [guard, condition])))('%s guards %s', async (guard, condition) => {
  expect(await runner.run(`SELECT n FROM r WHERE ${guard} AND ${condition}`)).toEqual(['1']);
  expect(await runner.run(`SELECT q.n FROM (SELECT * FROM r WHERE ${guard}) q WHERE ${condition}`)).toEqual(['1']);
});

test.each([
  ['TRANSFORM(l, \\(x) -> 10 / x)', 'LEN(v) = 2'],
  ['TRANSFORM(l, \\(x) -> 10 / x)', 'v IS NOT NULL'],
  ['(SELECT 10 / x AS y FROM r.l x)', 'LEN(v) IN [2]'],
  ['(SELECT SUM(10 / x) FROM r.l x)', 'v > 3'],
  ['CAST(t AS collection(int))', 'v[0] = 1'],
  ['CAST(s AS int)', 'v IS NOT NULL'],
  ['10 / k', 'v IN [10]'],
  ['big + big', '(v > 3 OR v < 2)'],
])('what a query computes, %s, is asked, %s, for its rows only', async (value, condition) => {
  for (const guard of GUARDS)
    expect(await runner.run(`SELECT n FROM (SELECT n, ${value} AS v FROM r WHERE ${guard}) q WHERE ${condition}`)).toEqual(['1']);
});
