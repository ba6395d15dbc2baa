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
  return [...sql.matchAll(/\[\[0\](?<others>(?:, NULL)*)\]/g)].map(({ groups }) => 2048 / (groups?.['others'] ?? '').split('NULL').length);
}

test.each([
  ['SELECT id + 1, UPPER(name) || city FROM people', []],
  ['SELECT LEN(RANGE(0, 8192)) AS n FROM people', []],
  ['SELECT LEN(RANGE(0, 8193)) AS n FROM people', [16]],
  ['SELECT LEN(RANGE(0, id)) AS n FROM people', [16]],
  ['SELECT id FROM people WHERE LEN(RANGE(0, id)) > 1', [16]],
  ['SELECT id FROM people ORDER BY LEN(RANGE(0, id))', [16]],
  ['SELECT LEN(RANGE(0, id)) AS n, COUNT(*) AS c FROM people GROUP BY LEN(RANGE(0, id))', [16]],
  ['SELECT p.id, x FROM people p, RANGE(0, p.id) x', [16]],
  ['once := LEN(RANGE(0, 100000)); SELECT id, once FROM people', []],
  ['SELECT id, LEN(RANGE(0, 100000)) AS n FROM (SELECT id AS id FROM people WHERE LEN(REPLICATE(name, id)) > 1) p', [16, 16]],
  ['a := REPLICATE("x", 1000000); SELECT LEN(a || name) AS n FROM people', [4, 4]],
  ['a := REPLICATE("x", 10000); SELECT LEN(a || name) AS n FROM people', [16, 16]],
  ['SELECT (SELECT SUM(q.owner) FROM pets q WHERE q.owner = p.id) + LEN(RANGE(0, id)) AS n FROM people p', [16]],
])('%s: so many rows are worked on at once', (text, expected) => {
  expect(rowsAtOnce(text)).toEqual(expected);
});
