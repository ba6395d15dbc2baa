import { openQueryRunner, type QueryRunner } from '../../testing/query-runner.ts';
import { TEST_TABLES } from '../../testing/test-tables.ts';

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(async () => runner.close());

/** Returns the number of rows per chunk of the engine, which holds 2048. */
function rowsAtOnce(text: string): readonly number[] {
  const { sql } = runner.lower(text);
  return [...sql.matchAll(/list_resize\(\[\[0\]\], (?<copies>\d+)\)/g)].map(({ groups }) => 2048 / Number(groups?.['copies']));
}

test.each([
  ['SELECT id + 1, UPPER(name) || city FROM people', []],
  ['SELECT LEN(RANGE(0, 8192)) AS n FROM people', []],
  ['SELECT LEN(RANGE(0, 8193)) AS n FROM people', [8]],
  ['SELECT LEN(RANGE(0, id)) AS n FROM people', [8]],
  ['SELECT id FROM people WHERE LEN(RANGE(0, id)) > 1', [8]],
  ['SELECT id FROM people ORDER BY LEN(RANGE(0, id))', [8]],
  ['SELECT LEN(RANGE(0, id)) AS n, COUNT(*) AS c FROM people GROUP BY LEN(RANGE(0, id))', [8]],
  ['SELECT p.id, x FROM people p, RANGE(0, p.id) x', [8]],
  ['once := LEN(RANGE(0, 100000)); SELECT id, once FROM people', []],
  ['SELECT id, LEN(RANGE(0, 100000)) AS n FROM (SELECT id AS id FROM people WHERE LEN(REPLICATE(name, id)) > 1) p', [8, 8]],
  ['a := REPLICATE("x", 1000000); SELECT LEN(a || name) AS n FROM people', [8, 8]],
  ['a := REPLICATE("x", 10000); SELECT LEN(a || name) AS n FROM people', []],
  ['a := (SELECT STRING_AGG(name, "") FROM people); SELECT LEN(a || name) AS n FROM people', [8, 8]],
  ['a := RANGE(0, 10000); SELECT REDUCE(a, 0, \\(s, y) -> s + id) AS n FROM people', [8, 8]],
  ['SELECT (SELECT SUM(q.owner) FROM pets q WHERE q.owner = p.id) + LEN(RANGE(0, id)) AS n FROM people p', [8]],
])('%s: so many rows are worked on at once', (text, expected) => {
  expect(rowsAtOnce(text)).toEqual(expected);
});
