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
  'CAST(n AS byte) IN (SELECT n FROM r WHERE m = 1)',
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

test.each(FAILING)('a condition that can fail guards %s wherever they stand', async (condition) => {
  const guard = 'n + 1 = 2';
  expect(await runner.run(`SELECT n FROM r WHERE COALESCE(NOT (${guard}), TRUE) OR ${condition}`)).toEqual(['1', '2']);
  expect(await runner.run(`SELECT n, ${guard} AND ${condition} AS is FROM r`)).toEqual([
    '{"n":1,"is":true}',
    expect.stringMatching(/"is":(false|null)/),
  ]);
  expect(await runner.run(`SELECT a.n FROM r a JOIN (SELECT n AS j FROM r) b ON a.n = b.j AND ${guard} AND ${condition}`)).toEqual(['1']);
  expect(
    await runner.run(`SELECT a.n, b.j FROM r a LEFT JOIN (SELECT n AS j FROM r) b ON a.n = b.j AND ${guard} AND ${condition}`),
  ).toEqual(['{"n":1,"j":1}', '{"n":2,"j":null}']);
  expect(await runner.run(`SELECT COUNT(*) FILTER (WHERE ${guard} AND ${condition}) FROM r`)).toEqual(['1']);
  expect(await runner.run(`SELECT a.n FROM r a WHERE EXISTS(SELECT 1 FROM r WHERE n = a.n AND ${guard} AND ${condition})`)).toEqual(['1']);
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

test.each(FAILING)('%s is asked of the rows that other clauses leave', async (condition) => {
  expect(await runner.run(`SELECT a.n FROM r a JOIN (SELECT n AS j FROM r WHERE n < 2) b ON a.n = b.j WHERE ${condition}`)).toEqual(['1']);
  expect(await runner.run(`SELECT n FROM r WHERE n IN (SELECT n FROM r WHERE m = 1) AND ${condition}`)).toEqual(['1']);
  expect(await runner.run(`SELECT n FROM (SELECT * FROM r ORDER BY n LIMIT 1) q WHERE ${condition}`)).toEqual(['1']);
  expect(await runner.run(`SELECT n FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY n) AS i FROM r) q WHERE i = 1 AND ${condition}`)).toEqual([
    '1',
  ]);
  expect(
    await runner.run(
      `SELECT n FROM (SELECT n, big, k, s, m, l, t, COUNT(*) AS c FROM r GROUP BY n, big, k, s, m, l, t HAVING n + 1 = 2) q WHERE ${condition}`,
    ),
  ).toEqual(['1']);
  expect(
    await runner.run(`SELECT n FROM ((SELECT * FROM r WHERE n + 1 = 2) UNION ALL (SELECT * FROM r WHERE n + 1 = 9)) q WHERE ${condition}`),
  ).toEqual(['1']);
  expect(await runner.run(`SELECT n FROM (SELECT DISTINCT n, k, big, s, l, t, m FROM r WHERE n + 1 = 2) q WHERE ${condition}`)).toEqual([
    '1',
  ]);
  expect(await runner.run(`x := SELECT * FROM r WHERE n + 1 = 2; SELECT n FROM x WHERE ${condition}`)).toEqual(['1']);
  expect(await runner.run(`SELECT n FROM r EXCEPT (SELECT n FROM r WHERE n + 1 = 2 AND NOT (${condition})) ORDER BY n LIMIT 1`)).toEqual([
    '1',
  ]);
});
