import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { TEST_TABLES } from '../testing/test-tables.ts';

/** Programs are not planned in these tests. */
let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(async () => runner.close());

const listed = (count: number, part: (i: number) => string, separator = ', '): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(separator);

const count = (i: number): string => `(SELECT COUNT(*) FROM pets q WHERE q.owner = p.id + ${i})`;

function nested(levels: number): string {
  let query = `SELECT COUNT(*) FROM pets q${levels} WHERE q${levels}.owner = q${levels - 1}.owner`;
  for (let i = levels - 1; i > 0; i -= 1) query = `SELECT COUNT(*) FROM pets q${i} WHERE q${i}.owner = q${i - 1}.owner + (${query})`;
  return `SELECT (${query}) AS x FROM pets q0`;
}

/** Name, program of a given size, largest allowed size, smallest rejected size. */
const PROGRAMS: readonly (readonly [string, (size: number) => string, number, number, RegExp, string])[] = [
  ['queries within queries', nested, 8, 9, /^queries, REDUCE and TRY stand in more than 8 levels/, 'SELECT COUNT(*) FROM pets q9'],
  [
    'queries as items',
    (n) => `SELECT ${listed(n, (i) => `${count(i)} AS x${i}`)} FROM people p`,
    150,
    151,
    /^more than 150 queries/,
    'SELECT COUNT(*)',
  ],
  [
    'queries in a lambda',
    (n) => `SELECT TRANSFORM([1, 2], \\(x) -> ${listed(n, count, ' + ')}) AS x FROM people p`,
    150,
    151,
    /^more than 150 queries/,
    'SELECT COUNT(*)',
  ],
  [
    'OR of EXISTS',
    (n) => `SELECT p.id FROM people p WHERE ${listed(n, (i) => `EXISTS(SELECT q.pet FROM pets q WHERE q.owner = p.id + ${i})`, ' OR ')}`,
    150,
    151,
    /^more than 150 queries/,
    'SELECT q.pet',
  ],
  [
    'joins',
    (n) => `SELECT p.id FROM people p ${listed(n, (i) => `JOIN pets q${i} ON q${i}.owner = p.id`, ' ')}`,
    49,
    50,
    /^more than 50 sources/,
    'SELECT',
  ],
  [
    'outer joins',
    (n) => `SELECT p.id FROM people p ${listed(n, (i) => `LEFT JOIN pets q${i} ON q${i}.owner = p.id`, ' ')}`,
    49,
    50,
    /^more than 50 sources/,
    'SELECT',
  ],
  [
    'sources that WHERE joins',
    (n) => `SELECT p.id FROM people p, ${listed(n, (i) => `pets q${i}`)} WHERE ${listed(n, (i) => `q${i}.owner = p.id`, ' AND ')}`,
    49,
    50,
    /^more than 50 sources/,
    'SELECT',
  ],
  [
    'INTERSECT of rows',
    (n) => listed(n, () => '(SELECT id FROM people)', ' INTERSECT '),
    100,
    101,
    /^INTERSECT has more than 100/,
    '(SELECT',
  ],
  ['lists of lists', (n) => `${'DISTINCT('.repeat(n)}[1, 2]${')'.repeat(n)}`, 51, 52, /^more than 50 functions/, '([1, 2])'],
  [
    'declared rows of declared rows',
    (n) => `v0 := SELECT id AS id FROM people; ${listed(n, (i) => `v${i + 1} := SELECT id AS id FROM v${i} WHERE id > ${i};`, ' ')} v${n}`,
    199,
    200,
    /^the program is too large: more than 200 queries/,
    '',
  ],
  [
    'windows',
    (n) => `SELECT ${listed(n, (i) => `SUM(id) OVER (PARTITION BY age + ${i}) AS x${i}`)} FROM people`,
    199,
    200,
    /^the program is too large: more than 200 queries/,
    'SELECT',
  ],
  [
    'groupings of groupings',
    (n) =>
      `v0 := SELECT id, COUNT(*) AS n FROM people GROUP BY id; ${listed(n, (i) => `v${i + 1} := SELECT id, COUNT(*) AS n FROM v${i} GROUP BY id;`, ' ')} v${n}`,
    15,
    16,
    /^more than 16 queries with groups/,
    'SELECT id',
  ],
  [
    'levels of a type that a value is cast to',
    (n) => `SELECT CAST(PARSE_JSON(name) AS ${'collection('.repeat(n)}int${')'.repeat(n)}) AS x FROM people`,
    10,
    11,
    /^the type has more than 10 levels/,
    'CAST',
  ],
  [
    'levels of a type that a text is read as',
    (n) => `SELECT PARSE_JSON(name AS ${'collection('.repeat(n)}int${')'.repeat(n)}) AS x FROM people`,
    10,
    11,
    /^the type has more than 10 levels/,
    'PARSE_JSON',
  ],
  ['levels of a result', (n) => `${'['.repeat(n)}1.5${']'.repeat(n)}`, 10, 11, /^the result has more than 10 levels/, '['],
];

describe('a program past a cap is refused at its place before it is planned', () => {
  it.each(PROGRAMS)('%s', (_, textOf, few, many, message, start) => {
    expect(runner.faultsOf(textOf(few))).toEqual([]);
    const [fault] = runner.faultsOf(textOf(many));
    expect(fault?.message).toMatch(message);
    expect(textOf(many).slice(fault?.spans[0]?.start).startsWith(start)).toBe(true);
  });
});

it.each([
  ['EXCEPT of rows', listed(800, () => '(SELECT id FROM people)', ' EXCEPT ')],
  ['UNION of rows', listed(800, () => '(SELECT id FROM people)', ' UNION ')],
  ['EXCEPT of lists', listed(800, (i) => `[${i}]`, ' EXCEPT ')],
  ['UNION of lists', listed(800, (i) => `[${i}]`, ' UNION ')],
  ['UNION ALL', listed(800, (i) => `(SELECT id + ${i} FROM people)`, ' UNION ALL ')],
  ['sources of each row', `SELECT p.id FROM people p, ${listed(300, (i) => `[p.id, ${i}] x${i}`)}`],
  ['columns', `SELECT ${listed(1600, (i) => `id + ${i} AS c${i}`)} FROM people`],
  ['aggregates', `SELECT city, ${listed(320, (i) => `SUM(id + ${i}) AS x${i}`)} FROM people GROUP BY city`],
  ['elements of a list', `[${listed(20_000, String)}]`],
  [
    'queries that join a few sources',
    listed(
      60,
      (i) => `(SELECT p.id + ${i} FROM people p JOIN pets q ON q.owner = p.id JOIN pets r ON r.owner = p.id JOIN pets s ON s.owner = p.id)`,
      ' ++ ',
    ),
  ],
])('many of what is planned in a moment are let pass: %s', (_, text) => {
  expect(runner.faultsOf(text)).toEqual([]);
});
