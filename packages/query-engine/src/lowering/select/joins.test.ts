import { runStatement } from '../../statements/run-statement.ts';
import { openQueryRunner, type QueryRunner } from '../../testing/query-runner.ts';
import { TEST_TABLES } from '../../testing/test-tables.ts';
import { never, openTestEngine, type TestEngine } from '../../testing/with-engine.ts';

let runner: QueryRunner;
let engine: TestEngine;
beforeAll(async () => {
  [runner, engine] = await Promise.all([openQueryRunner(TEST_TABLES), openTestEngine()]);
});
afterAll(() => Promise.all([runner.close(), engine.close()]));

/** Returns the join operators in the engine's plan of a program. */
async function joinsOf(text: string): Promise<readonly string[]> {
  const { sql } = runner.lower(text);
  const rows = await engine.withLease((lease) => runStatement(lease, { sql: `EXPLAIN (FORMAT json) ${sql}`, signal: never }));
  const plan = JSON.stringify(rows).replaceAll('\\"', '"');
  return [...plan.matchAll(/"name": "(\w*(?:JOIN|PRODUCT))\s*"/g)].map(([, name = '']) => name);
}

test.each([
  'FROM people p JOIN pets q ON p.id = q.owner',
  'FROM people p JOIN pets q ON p.id = q.owner + 1',
  'FROM people p JOIN pets q ON p.id = q.owner + 1 AND p.name < q.pet',
  'FROM people p JOIN pets q ON CAST(q.pet AS int) = p.id * 2',
  'FROM people p JOIN pets q ON p.id = q.owner AND 1 / p.age = q.owner',
  'FROM people p, pets q WHERE p.id = q.owner + 1 AND p.age > 1',
])('the rows of %s are found by a hash join', async (from) => {
  expect(await joinsOf(`SELECT p.id ${from}`)).toEqual(['HASH_JOIN']);
});

test.each([
  ['FROM people p JOIN pets q ON p.id = q.owner + 1', ['2', '2', '4']],
  ['FROM people p, pets q WHERE p.id = q.owner + 1 AND q.pet <> "cat"', ['2', '4']],
  ['FROM people p JOIN pets q ON p.id = 8 / (q.owner - 1)', ['! / by zero at 8 / (q.owner - 1)']],
  ['FROM people p, pets q WHERE p.id = 8 / (q.owner - 1)', ['! / by zero at 8 / (q.owner - 1)']],
  ['FROM people p JOIN pets q ON q.owner > 1 AND p.id = 8 / (q.owner - 1)', ['1', '4']],
  ['FROM people p, pets q WHERE q.owner > 1 AND p.id = 8 / (q.owner - 1)', ['1', '4']],
])('a key fails for any row unless a condition is before it: %s', async (from, lines) => {
  expect(await runner.run(`SELECT p.id ${from} ORDER BY p.id`)).toEqual(lines);
});
