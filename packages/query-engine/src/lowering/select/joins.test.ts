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

interface Operator {
  readonly name: string;
  readonly children: readonly Operator[];
}

/** Returns the engine's plan of a program. */
async function planOf(text: string): Promise<readonly Operator[]> {
  const { sql } = runner.lower(text);
  const rows = await engine.withLease((lease) => runStatement(lease, { sql: `EXPLAIN (FORMAT json) ${sql}`, signal: never }));
  return rows.flatMap((row) => JSON.parse(row['explain_value'] as string) as Operator[]);
}

/** Returns the joins of operators, except those with the one row of a constant. */
function joinsOf(operators: readonly Operator[]): readonly string[] {
  const isConstant = ({ name, children }: Operator): boolean =>
    name.trim() === 'DUMMY_SCAN' || (children.length > 0 && children.every(isConstant));
  return operators.flatMap(({ name, children }) => {
    const isJoin = /(?:JOIN|PRODUCT)\s*$/.test(name) && !children.some(isConstant);
    return [...(isJoin ? [name.trim()] : []), ...joinsOf(children)];
  });
}

test.each([
  'FROM people p JOIN pets q ON p.id = q.owner',
  'FROM people p JOIN pets q ON p.id = q.owner + 1',
  'FROM people p JOIN pets q ON p.id = q.owner + 1 AND p.name < q.pet',
  'FROM people p JOIN pets q ON CAST(q.pet AS int) = p.id * 2',
  'FROM people p JOIN pets q ON p.id = q.owner AND 1 / p.age = q.owner',
  'FROM people p, pets q WHERE p.id = q.owner + 1 AND p.age > 1',
  'FROM people p, pets q WHERE p.age > 1 AND q.pet <> "x" AND p.id = q.owner + 1',
  'FROM people p JOIN pets q ON p.age > 1 AND CAST(q.pet AS int) = p.id * 2',
  'FROM people p LEFT JOIN pets q ON p.id = q.owner AND p.age > 1',
  'FROM people p LEFT JOIN pets q ON p.age > 1 AND q.owner > 2 AND p.id + 1 = q.owner',
  'FROM people p RIGHT JOIN pets q ON p.id + 1 = q.owner AND q.pet > "c"',
  'FROM people p FULL JOIN pets q ON p.id = q.owner AND q.pet > "c" AND p.age > 1',
])('the rows of %s are found by a hash join', async (from) => {
  expect(joinsOf(await planOf(`SELECT p.id ${from}`))).toEqual(['HASH_JOIN']);
});

test.each([
  'FROM people p, pets q, people r WHERE r.id = p.id AND r.age = q.owner',
  'FROM people p CROSS JOIN pets q JOIN people r ON r.id = p.id AND r.age = q.owner',
])('sources are joined in an order that compares no pairs of rows: %s', async (from) => {
  const joins = joinsOf(await planOf(`SELECT p.id ${from}`));
  expect(joins).toEqual(joins.map(() => 'HASH_JOIN'));
});

test.each([
  'SELECT SUM(LEN(x.pet)) FROM o.list i, q x WHERE x.owner = i',
  'SELECT SUM(LEN(x.pet)) FROM o.list i JOIN q x ON x.owner = i',
  'SELECT i, x.pet FROM o.list i LEFT JOIN q x ON x.owner = i',
  'SELECT SUM(LEN(x.pet)) FROM o.list i, (SELECT y.owner, y.pet FROM q y WHERE y.pet > "b") x WHERE x.owner = i',
  'SELECT MAX(x.pet) FROM q x WHERE x.owner = o.list[0]',
  'SELECT x.pet FROM q x WHERE x.pet > "b" AND x.owner = LEN(o.name)',
  'SELECT COUNT(*) FROM r y, y.list i WHERE i = o.list[0]',
  'TRANSFORM(o.list, \\(i) -> CFIRST(SELECT x.pet FROM q x WHERE x.owner = i))',
  'EXISTS(SELECT x FROM o.list i, q x WHERE x.owner = i AND x.pet > o.name)',
])('a query of each row compares no pairs of rows: %s', async (text) => {
  const rows = 'q := (SELECT owner, pet FROM pets); r := (SELECT name, [id, age] AS list FROM people);';
  expect(joinsOf(await planOf(`${rows} SELECT (${text}) AS z FROM r o`))).not.toContain('CROSS_PRODUCT');
});

test('a condition that can fail is evaluated on the rows that the joins before it leave', async () => {
  const many = 'SELECT a.age FROM people a, people b, people c, people d';
  const from = `FROM pets q JOIN (${many}) m ON q.owner = m.age JOIN texts t ON t.id = CAST(q.pet AS int)`;
  expect(await runner.run(`SELECT t.id ${from}`)).toEqual([]);
});

test.each([
  'people p JOIN pets q ON q.owner > p.id AND q.owner < p.id + 2',
  'people p, pets q WHERE q.owner BETWEEN p.id - 1 AND p.id + 1',
  'people p LEFT JOIN pets q ON q.owner > p.id AND q.owner < p.id + 2',
  'people p LEFT JOIN pets q ON p.age > 1 AND q.owner BETWEEN p.id - 1 AND p.id + 1',
])('a join by a range whose bounds can fail compares no pairs of rows: FROM %s', async (from) => {
  expect(joinsOf(await planOf(`SELECT p.id FROM ${from}`))).toEqual([expect.stringMatching(/^(?:IE|PIECEWISE_MERGE)_JOIN$/)]);
});

test.each([
  'LEFT JOIN pets q ON p.id = q.owner AND p.age + q.owner > 1',
  'LEFT JOIN pets q ON p.id = q.owner AND (q.pet = p.name OR q.pet > "c")',
  'LEFT JOIN pets q ON p.age > 1 AND p.id + 1 = q.owner AND (q.pet = p.name OR q.pet > "c")',
  'RIGHT JOIN pets q ON p.id = q.owner AND q.owner / p.id > 1',
])('an outer join with conditions of both sides compares no pairs of rows: FROM people p %s', async (join) => {
  expect(joinsOf(await planOf(`SELECT p.id FROM people p ${join}`))).toEqual(['HASH_JOIN', 'HASH_JOIN']);
});

test.each([
  ['LEFT JOIN pets q ON p.id = q.owner AND p.id + 8 > LEN(p.name || q.pet || p.city)', ['1 null', '2 null', '3 null', '4 null']],
  ['LEFT JOIN pets q ON p.id = q.owner AND (q.pet = p.name OR q.pet > "cat") AND 3 / p.id > 0', ['1 dog', '2 null', '3 eel', '4 null']],
  ['LEFT JOIN pets q ON p.id = q.owner AND 3 / (p.id - 1) > 0', ['! / by zero at 3 / (p.id - 1)']],
  ['LEFT JOIN pets q ON p.id = q.owner AND q.owner > 1 AND 4 / (p.id - 1) > 1', ['1 null', '2 null', '3 eel', '4 null']],
  ['RIGHT JOIN pets q ON p.id = q.owner AND 3 / p.id > q.owner', ['1 cat', '1 dog', 'null eel', 'null fox']],
])('an outer join by matches keeps the rows of its side: FROM people p %s', async (join, expected) => {
  const lines = await runner.run(`SELECT p.id, q.pet FROM people p ${join} ORDER BY q.pet`);
  const rows = lines.map((line) =>
    line.startsWith('!')
      ? line
      : Object.values(JSON.parse(line) as object)
          .map(String)
          .join(' '),
  );
  expect(rows.toSorted()).toEqual(expected);
});

test.each([
  'EXISTS (SELECT q.pet FROM pets q WHERE q.owner = p.id + 1)',
  'NOT EXISTS (SELECT q.pet FROM pets q WHERE q.owner - 1 = p.id AND q.owner > 1)',
  'EXISTS (SELECT q.pet FROM pets q WHERE CAST(q.pet AS int) = p.id)',
  'EXISTS (SELECT q.pet FROM pets q WHERE CAST(q.pet AS int) = p.id + 1 AND 1 / q.owner > p.id)',
  '1 < (SELECT COUNT(*) FROM pets q WHERE p.id + 1 = q.owner - 1)',
  'EXISTS (SELECT q.pet FROM pets q WHERE q.pet > "c" AND q.owner = p.id + 1)',
  'EXISTS (SELECT q.pet FROM pets q WHERE p.age > 1 AND q.pet > "c" AND q.owner = p.id + 1)',
  'EXISTS (SELECT q.pet FROM pets q JOIN people r ON r.id = q.owner WHERE r.age = p.age + 1)',
  'p.id IN (SELECT q.owner FROM pets q WHERE p.id + 1 = q.owner - 1)',
  'EXISTS (SELECT q.pet FROM pets q WHERE q.owner >= p.id AND q.owner < p.id + 2)',
  '1 < (SELECT COUNT(*) FROM pets q WHERE q.owner BETWEEN p.id - 1 AND p.id + 1)',
  'EXISTS (SELECT i FROM [p.id, 9] i WHERE i IN (SELECT q.owner FROM pets q))',
])('a correlated query compares no pairs of rows: %s', async (condition) => {
  const joins = joinsOf(await planOf(`SELECT p.name FROM people p WHERE ${condition}`));
  const isByKey = (join: string): boolean => /^(?:HASH|(?:LEFT|RIGHT)_DELIM|IE|PIECEWISE_MERGE)_JOIN$/.test(join);
  expect(joins.filter((join) => !isByKey(join))).toEqual([]);
  expect(joins.length).toBeGreaterThan(0);
});

test.each([
  ['FROM people p JOIN pets q ON p.id = q.owner + 1', ['2', '2', '4']],
  ['FROM people p, pets q WHERE p.id = q.owner + 1 AND q.pet <> "cat"', ['2', '4']],
  ['FROM people p JOIN pets q ON p.id = 8 / (q.owner - 1)', ['! / by zero at 8 / (q.owner - 1)']],
  ['FROM people p, pets q WHERE p.id = 8 / (q.owner - 1)', ['! / by zero at 8 / (q.owner - 1)']],
  ['FROM people p WHERE EXISTS (SELECT q.pet FROM pets q WHERE p.id = 8 / (q.owner - 1))', ['! / by zero at 8 / (q.owner - 1)']],
  ['FROM people p WHERE EXISTS (SELECT q.pet FROM pets q WHERE q.owner = 4 / (p.id - 1))', ['! / by zero at 4 / (p.id - 1)']],
  ['FROM people p WHERE p.id > 1 AND EXISTS (SELECT q.pet FROM pets q WHERE q.owner = 6 / (p.id - 1))', ['3']],
  ['FROM people p WHERE EXISTS (SELECT q.pet FROM pets q WHERE q.owner > 1 AND p.id = 8 / (q.owner - 1))', ['1', '4']],
  ['FROM people p WHERE p.id < 3 AND EXISTS (SELECT q.pet FROM pets q WHERE q.owner = p.id + 2 AND q.pet <> "cat")', ['1']],
  ['FROM people p WHERE NOT EXISTS (SELECT q.pet FROM pets q WHERE q.owner = p.age / 10)', ['2', '4']],
  [
    `FROM people p WHERE EXISTS (SELECT q.pet FROM pets q WHERE interval "1 month" - interval "1 day" * q.owner = interval "28 days" + interval "1 day" * p.id)`,
    ['1'],
  ],
  ['FROM people p WHERE EXISTS (SELECT q.pet FROM pets q WHERE p.id > 1 AND q.owner = 6 / (p.id - 1))', ['3']],
  ['FROM people p LEFT JOIN pets q ON p.id > 1 AND q.owner = 6 / (p.id - 1)', ['1', '2', '3', '4']],
  ['FROM people p RIGHT JOIN pets q ON q.owner > 1 AND p.id = 8 / (q.owner - 1)', ['null', 'null', '1', '4']],
  ['FROM people p JOIN pets q ON q.owner > 1 AND p.id = 8 / (q.owner - 1)', ['1', '4']],
  ['FROM people p, pets q WHERE q.owner > 1 AND p.id = 8 / (q.owner - 1)', ['1', '4']],
])('a key fails for any row unless a condition is before it: %s', async (from, lines) => {
  expect(await runner.run(`SELECT p.id ${from} ORDER BY p.id`)).toEqual(lines);
});
