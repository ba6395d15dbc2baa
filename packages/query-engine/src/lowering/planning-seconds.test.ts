import { planningSeconds, type Burden, type PlanningSeconds } from './planning-seconds.ts';

/** So many queries that the statement is looked at, none of which counts. */
const MANY = 'SELECT '.repeat(60);

const times = (count: number, part: string, close = ''): string => `${part.repeat(count)}${close.repeat(count)}`;

const NOTHING: PlanningSeconds = { nested: 0, queries: 0, joins: 0, sets: 0, levels: 0, lists: 0 };

/** The sum of what each of so many levels takes. */
const levels = (count: number, seconds: (level: number) => number): number =>
  Array.from({ length: count }, (_, i) => seconds(i + 1)).reduce((sum, one) => sum + one);

const MEASURED: readonly (readonly [string, string, Burden, number])[] = [
  ['queries within one another', times(16, '(SELECT ', ')'), 'nested', levels(16, (depth) => 1.8e-5 * 2 ** depth)],
  ['queries within lists within one another', times(16, '[(SELECT ', ')]'), 'nested', levels(16, (depth) => 1.8e-5 * 2 ** depth)],
  ['queries in FROM within a query', `(SELECT ${times(9, 'FROM (SELECT ', ')')})`, 'nested', 3.6e-5],
  ['a query within queries in FROM', times(9, 'FROM (SELECT (SELECT ', '))'), 'nested', levels(9, (depth) => 1.8e-5 * 2 ** depth)],
  ['short queries beside one another', times(49, '(SELECT 1)'), 'queries', 4e-7 * 49 ** 3],
  [
    'long queries beside one another',
    times(50, `(SELECT ${'x'.repeat(9991)})`),
    'queries',
    4e-7 * 50 ** 3 + 3.5e-6 * (500_000 + MANY.length),
  ],
  ['joins', times(90, ' JOIN t'), 'joins', 8e-7 * 90 ** 3],
  ['outer joins', times(30, ' LEFT JOIN t RIGHT JOIN t FULL JOIN t'), 'joins', 8e-7 * 60 ** 3],
  ['cross joins', times(90, ' CROSS JOIN t'), 'joins', 8e-7 * 30 ** 3],
  ['cross joins that are put in order', `${times(30, ' CROSS JOIN t')} WHERE`, 'joins', 8e-7 * 10 ** 3 + 1.7e-7 * 30 ** 4],
  ['joins that WHERE finds in order', `${times(30, ' JOIN t')} WHERE`, 'joins', 8e-7 * 30 ** 3],
  ['joins with queries', times(30, ' JOIN (SELECT 1)'), 'joins', 8e-7 * 30 ** 3],
  ['joins within one another', times(30, 'FROM (SELECT 1 FROM t JOIN t ', ')'), 'joins', 8e-7 * 30 ** 3],
  [
    'cross joins within what is filtered',
    `${times(30, 'FROM (SELECT 1 CROSS JOIN t ', ')')} WHERE`,
    'joins',
    8e-7 * 10 ** 3 + 1.7e-7 * 30 ** 4,
  ],
  ['cross joins around what is filtered', `FROM (SELECT WHERE) ${times(30, 'CROSS JOIN t ')}`, 'joins', 8e-7 * 10 ** 3 + 1.7e-7 * 30 ** 4],
  ['cross joins beside what is filtered', `(FROM t WHERE) ${times(30, 'CROSS JOIN t ')}`, 'joins', 8e-7 * 10 ** 3],
  ['joins of queries beside one another', times(3, `(SELECT ${times(30, 'JOIN t ')})`), 'joins', 3 * 8e-7 * 30 ** 3],
  ['joins of what is put together', times(3, `${times(30, 'JOIN t ')}UNION ALL `), 'joins', 3 * 8e-7 * 30 ** 3],
  ['cross joins before what is filtered', `${times(30, 'CROSS JOIN t ')}UNION ALL SELECT 1 WHERE`, 'joins', 8e-7 * 10 ** 3],
  ['joins of tables that are put together', times(3, `FROM (SELECT ${times(30, 'JOIN t ')}EXCEPT SELECT 1)`), 'joins', 3 * 8e-7 * 30 ** 3],
  ['what is taken from one another', times(100, ' EXCEPT SELECT 1 INTERSECT SELECT 1'), 'sets', 1.5e-7 * 200 ** 3],
  ['what is taken in tables', times(100, 'FROM (SELECT 1 EXCEPT SELECT 1 ', ')'), 'sets', 1.5e-7 * 100 ** 3],
  ['what is taken in queries', times(3, `(SELECT 1 ${times(100, 'EXCEPT SELECT 1 ')})`), 'sets', 3 * 1.5e-7 * 100 ** 3],
  ['what is put together', times(100, ' UNION SELECT 1 UNION ALL SELECT 1'), 'sets', 0],
  ['tables from tables', times(100, 'FROM (SELECT ', ')'), 'levels', levels(100, (level) => 2e-8 * level ** 2)],
  ['tables that are kept', times(100, 'MATERIALIZED (SELECT ', ')'), 'levels', levels(100, (level) => 2e-8 * level ** 2)],
  ['tables beside one another', times(100, 'FROM (SELECT 1)'), 'levels', 100 * 2e-8],
  ['tables within queries', times(10, '(SELECT 1 FROM (SELECT ', '))'), 'levels', 10 * 2e-8],
  ['functions of lists', times(100, 'list_sort(', ')'), 'lists', levels(100, (level) => 3e-7 * level ** 2)],
  [
    'functions of lists that read a column',
    `${times(100, 'list_sort(')}"c12"${')'.repeat(100)}`,
    'lists',
    levels(100, (level) => 3e-8 * level ** 2),
  ],
  ['functions of lists behind a column', times(100, 'list_sort(n3, ', ')'), 'lists', levels(100, (level) => 3e-8 * level ** 2)],
  ['functions of lists beside a column', `c1, ${times(100, 'list_sort(', ')')}`, 'lists', levels(100, (level) => 3e-7 * level ** 2)],
  [
    'elements of what functions of lists give',
    times(100, 'list_extract(list_sort(', '))'),
    'lists',
    levels(100, (level) => 3e-7 * level ** 2),
  ],
  ['functions of lists beside one another', times(100, 'list_sort(x)'), 'lists', 100 * 3e-7],
  ['functions of lists within brackets', times(100, 'list_sort(([', ']))'), 'lists', levels(100, (level) => 3e-7 * level ** 2)],
  ['functions of lists within queries', times(10, 'list_sort((SELECT ', '))'), 'lists', 10 * 3e-8],
  ['functions of lists within tables', times(10, 'list_sort(FROM (SELECT ', '))'), 'lists', 10 * 3e-7],
];

test.each(MEASURED)('%s take as long as was measured', (_, sql, burden, seconds) => {
  expect(planningSeconds(`${MANY}${sql}`)[burden]).toBeCloseTo(seconds, 9);
});

test('texts and quoted names take no time', () => {
  const text = `('(SELECT ' || "(SELECT " || 'it''s JOIN' || "a"" JOIN" || 'list_sort(' || 'x EXCEPT y' || ' WHERE ' || ')')`;
  expect(planningSeconds(`${MANY}${text.repeat(60)}`)).toEqual(NOTHING);
});

test('other words take no time', () => {
  expect(planningSeconds(`${MANY}${'JOINED EXCEPTION listed(1) blist_sort(1) SELECTED '.repeat(60)}`)).toEqual(NOTHING);
});

test('a statement of few queries and functions of lists is not looked at', () => {
  const few = times(59, '(SELECT ', ')');
  expect(planningSeconds(few)).toEqual(NOTHING);
  expect(planningSeconds(`list_sort(${few})`).nested).toBeGreaterThan(0);
  expect(planningSeconds(times(60, 'list_sort(', ')')).lists).toBeGreaterThan(0);
});
