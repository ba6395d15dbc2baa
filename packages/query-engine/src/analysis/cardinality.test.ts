import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { TEST_TABLES } from '../testing/test-tables.ts';

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(() => runner.close());

test.each([
  ['1', 1],
  ['(a: [1, 2])', 1],
  ['[1, 2, 3]', 3],
  ['[]', 0],
  ['people', Infinity],
  ['SELECT id FROM people', Infinity],
  ['SELECT id FROM people LIMIT 2', 2],
  ['SELECT id FROM people LIMIT LEN("ab")', Infinity],
  ['SELECT id FROM people OFFSET 2', Infinity],
  ['SELECT x FROM [1, 2] x LIMIT 5', 2],
  ['SELECT x FROM [1, 2] x LIMIT 1', 1],
  ['SELECT x FROM [1, 2] x WHERE x > 1', 2],
  ['SELECT COUNT(*) FROM people', 1],
  ['SELECT city, COUNT(*) FROM people GROUP BY city', Infinity],
  ['SELECT (x, y) FROM [1, 2] x, [1, 2, 3] y', 6],
  ['SELECT (x, y) FROM [1, 2] x JOIN [1, 2, 3] y ON x = y', 6],
  ['SELECT (x, y) FROM [1, 2] x LEFT JOIN [] y ON true', 2],
  ['SELECT (x, y) FROM [1, 2] x LEFT JOIN [1, 2, 3] y ON true', 6],
  ['SELECT (x, y) FROM [1, 2] x RIGHT JOIN [1] y ON true', Infinity],
  ['SELECT (x, y) FROM [1, 2] x FULL JOIN [1] y ON true', Infinity],
  ['SELECT (x, p) FROM [] x, people p', 0],
  ['SELECT (x, p) FROM [1] x, people p', Infinity],
  ['[1, 2] UNION ALL [3]', 3],
  ['[1, 2] UNION [3]', 3],
  ['[1, 2] INTERSECT [3]', 2],
  ['[1, 2] EXCEPT [3, 4, 5]', 3],
  ['people.id ++ [1]', Infinity],
  ['l := [LEN("a"), LEN("b")]; SELECT (x, y) FROM l x, l y', Infinity],
  ['{ l := LEN("a"); [l, l] }', 2],
  ['[1, 2.5] ++ [1]', 3],
])('%s gives at most %d rows', (text, most) => {
  expect(runner.lower(text).maxCardinality).toBe(most);
});
