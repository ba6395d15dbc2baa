import { openQueryRunner, type QueryRunner } from '../../testing/query-runner.ts';
import { TEST_TABLES } from '../../testing/test-tables.ts';

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(async () => runner.close());

/** The fields of people that a statement uses beyond giving them names. */
function usedFields(text: string): readonly string[] {
  const { sql } = runner.lower(text);
  return ['id', 'name', 'age', 'city'].filter((field) => {
    const column = new RegExp(String.raw`"${field}" AS (?<column>"\w+")`).exec(sql)?.groups?.['column'];
    return column !== undefined && sql.split(column).length > 2;
  });
}

test.each([
  ['SELECT IF COUNT(*) > 1 THEN SUM(10 / id) ELSE 0 AS s FROM people', ['id']],
  ['SELECT IF COUNT(*) > 1 THEN SUM(IF age > 1 THEN 10 / id ELSE CAST(name AS int)) ELSE 0 AS s FROM people', ['id', 'name', 'age']],
  ['SELECT IF id > 1 THEN SUM(10 / age) OVER (ORDER BY id) ELSE 0 AS s FROM people', ['id', 'age']],
  ['SELECT COALESCE(NULLIF(id, 2), LAG(10 / age) OVER (PARTITION BY id)) AS s FROM people', ['id', 'age']],
])('%s keeps of a row that failed what it failed with', (text, expected) => {
  expect(usedFields(text)).toEqual(expected);
});
