import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { TEST_TABLES } from '../testing/test-tables.ts';

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(() => runner.close());

test.each([
  ['people', true],
  ['SELECT id, UPPER(city) AS c FROM people', true],
  ['SELECT x + 1 FROM (SELECT id * 2 AS x FROM people) AS t', true],
  ['people ++ people', true],
  ['SELECT id FROM people UNION ALL SELECT id FROM people', true],
  ['SELECT TRANSFORM([id], \\(x) -> x + 1) FROM people', true],
  ['1', false],
  ['[1, 2]', false],
  ['SELECT x FROM [1, 2] x', false],
  ['SELECT COUNT(*) FROM people', false],
  ['SELECT city, COUNT(*) AS n FROM people GROUP BY city', false],
  ['SELECT DISTINCT city FROM people', false],
  ['SELECT id FROM people ORDER BY id', false],
  ['SELECT id FROM people LIMIT 2', false],
  ['SELECT id FROM people WHERE id > 1', false],
  ['SELECT x + 1 FROM (SELECT id * 2 AS x FROM people WHERE id > 1) AS t', false],
  ['SELECT id FROM people OFFSET 2', false],
  ['SELECT i FROM people p AT i', false],
  ['SELECT a.id FROM people a JOIN people b ON a.id = b.id', false],
  ['SELECT ROW_NUMBER() OVER (ORDER BY id) FROM people', false],
  ['SELECT id, RANDOM() AS r FROM people', false],
  ['SELECT id FROM people WHERE RANDOM() > 2', false],
  ['n := RANDOM(); SELECT id, n FROM people', false],
  ['n := SELECT COUNT(*) FROM people; SELECT id, n FROM people', false],
  ['p := SELECT id FROM people; SELECT id, LEN(p) AS n FROM people', false],
  ['SELECT id, (SELECT COUNT(*) FROM people) AS n FROM people', false],
  ['SELECT id FROM people WHERE id IN (SELECT id FROM people)', false],
  ['people.id ++ (SELECT DISTINCT id FROM people)', false],
  ['people.id UNION people.id', false],
  ['people.id EXCEPT [1]', false],
])('%s', (text, expected) => {
  const lowered = runner.lower(text);
  expect('isRowByRow' in lowered && lowered.isRowByRow).toBe(expected);
});
