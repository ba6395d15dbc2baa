import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { TEST_TABLES } from '../testing/test-tables.ts';

/** Tests of evaluation: what is evaluated, how often, and where a failure is reported. */
let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(async () => runner.close());

describe('conditions guard what comes after them', () => {
  it.each([
    ['SELECT id, CAST(s AS int) AS v FROM texts WHERE ok AND CAST(s AS int) > 5', ['{"id":1,"v":10}', '{"id":3,"v":30}']],
    ['SELECT t.id FROM texts t JOIN texts u ON t.id = u.id WHERE u.ok AND CAST(t.s AS int) > 5 ORDER BY t.id', ['1', '3']],
    ['SELECT t.id FROM texts t, [1, 2] x WHERE t.ok AND x = 1 AND CAST(t.s AS int) > 5 ORDER BY t.id', ['1', '3']],
    ['SELECT id, ok AND CAST(s AS int) > 5 AS b FROM texts', ['{"id":1,"b":true}', '{"id":2,"b":false}', '{"id":3,"b":true}']],
    ['SELECT id, NOT ok OR CAST(s AS int) > 5 AS b FROM texts', ['{"id":1,"b":true}', '{"id":2,"b":true}', '{"id":3,"b":true}']],
    [
      'SELECT id, (IF id = 2 THEN NULL ELSE TRUE) AND 1 / (id - 3) < 5 AS b FROM texts WHERE id < 3',
      ['{"id":1,"b":true}', '{"id":2,"b":null}'],
    ],
    ['SELECT id FROM people WHERE id > 2 AND (id = 3 OR 1 / (id - 4) > 0)', ['! / by zero at 1 / (id - 4)']],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('only the branch that is taken', () => {
  it.each([
    ['SELECT id, IF ok THEN CAST(s AS int) ELSE 0 AS b FROM texts', ['{"id":1,"b":10}', '{"id":2,"b":0}', '{"id":3,"b":30}']],
    [
      'SELECT COALESCE(age, (SELECT SUM(CAST(s AS int)) FROM texts WHERE ok AND texts.id < people.id)) AS c FROM people',
      ['{"c":30}', '{"c":10}', '{"c":30}', '{"c":20}'],
    ],
    ['IF 1 = 2 THEN (SELECT SUM(CAST(s AS int)) FROM ["x"] s) ELSE 0', ['0']],
    ['SELECT x FROM (IF 1 = 2 THEN (SELECT CAST(s AS int) FROM ["x"] s) ELSE (SELECT id FROM texts)) x', ['1', '2', '3']],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('declarations', () => {
  it.each([
    ['x := CAST("q" AS int); IF 1 = 2 THEN x ELSE 5', ['5']],
    ['x := CAST("q" AS int); SELECT IF id > 100 THEN x ELSE id FROM texts', ['1', '2', '3']],
    ['x := CAST("q" AS int); y := x + 1; SELECT IF id > 100 THEN y ELSE id FROM texts', ['1', '2', '3']],
    ['x := CAST("7" AS int); SELECT IF id > 1 THEN x ELSE id FROM texts', ['1', '7', '7']],
    ['x := CAST("q" AS int); SELECT IF id > 1 THEN x ELSE id FROM texts', [`! cannot cast 'q' to int at CAST("q" AS int)`]],
    ['x := [1, 2, 3]; (a: x, b: LEN(x), c: (SELECT y * 2 FROM x y))', ['{"a":[1,2,3],"b":3,"c":[2,4,6]}']],
    ['y0 := (a: 1); y1 := (a: y0, b: y0); y2 := (a: y1, b: y1); y2.b.a.a', ['1']],
    ['x := RANDOM(); x = x AND x - x = 0', ['true']],
    ['m := (SELECT MAX(id) FROM people); SELECT name FROM people WHERE id = m', ['"Dan"']],
    [
      'm := (SELECT MAX(id) FROM people); SELECT o.id, (SELECT i.n FROM o.items i WHERE i.n < m) AS x FROM orders o',
      ['{"id":1,"x":[3,1,2]}', '{"id":2,"x":[]}', '{"id":3,"x":[]}'],
    ],
    [
      'old := (SELECT * FROM people WHERE age > 20); (n: (SELECT COUNT(*) FROM old), all: old)',
      ['{"n":2,"all":[{"id":1,"name":"Ann","age":30,"city":"Lyon"},{"id":3,"name":"Cid","age":30,"city":null}]}'],
    ],
    ['f(a: int) := a * a + a; SELECT f(id + 1) FROM people', ['6', '12', '20', '30']],
    ['f(a: int) := (SELECT a + owner FROM pets WHERE owner = a); SELECT f(id * 3) FROM people', ['[6]', '[]', '[18]', '[]']],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('TRY', () => {
  it.each([
    ['SELECT id, TRY(CAST(s AS int)) AS b FROM texts', ['{"id":1,"b":10}', '{"id":2,"b":null}', '{"id":3,"b":30}']],
    ['SELECT TRY(SELECT i.n / (i.n - 1) FROM o.items i) AS e FROM orders o', ['{"e":null}', '{"e":[]}', '{"e":[1]}']],
    ['x := CAST("q" AS int); TRY(x + x)', ['null']],
    [
      'SELECT { n := (SELECT COUNT(*) FROM pets q WHERE q.owner = p.id); TRY(id / n) } AS e FROM people p',
      ['{"e":0}', '{"e":null}', '{"e":3}', '{"e":null}'],
    ],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

it('TRY gives a row its own value, in whatever order a join gives the rows', async () => {
  const query = 'SELECT p.id, { n := LEN(SELECT q.pet FROM pets q WHERE q.owner = p.id); TRY(1 / n) } AS x FROM people p';
  const { sql } = runner.lower(query);
  expect(sql).toContain('list_extract(TRY([');
  for (let i = 0; i < 50; i += 1)
    expect(await runner.run(query)).toEqual(['{"id":1,"x":0}', '{"id":2,"x":null}', '{"id":3,"x":1}', '{"id":4,"x":null}']);
});

describe('failures have a place', () => {
  it.each([
    ['SELECT CAST(s AS int) FROM texts', [`! cannot cast 'x' to int at CAST(s AS int)`]],
    ['SELECT 1 + CAST(CONCAT(s, "!") AS int) FROM texts', [`! cannot cast '10!' to int at CAST(CONCAT(s, "!") AS int)`]],
    ['SELECT id / (id - 2) FROM people', ['! / by zero at id / (id - 2)']],
    ['SELECT id, id * 1000 + (id + 2147483000) * 2 FROM people', ['! integer overflow at (id + 2147483000) * 2']],
    ['SELECT CHR(id - 2) FROM people', ['! there is no character with the code point -1 at CHR(id - 2)']],
    ['SELECT SUM(g + 9223372036854775806) FROM big', ['! integer overflow at g + 9223372036854775806']],
    ['SELECT o.id, (SELECT i.n / (i.n - 5) FROM o.items i) AS e FROM orders o', ['! / by zero at i.n / (i.n - 5)']],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('the order of the source stays', () => {
  it.each([
    ['a := (SELECT o.id FROM big o WHERE o.id IN (SELECT b.id * 3 FROM huge b)); SELECT COUNT(*) FROM a x AT i WHERE x <> i * 3', ['0']],
    [
      'a := (SELECT o.id FROM big o WHERE o.id IN (SELECT b.id + 500 FROM huge b)); SELECT COUNT(*) FROM a x AT i WHERE x <> i + 500',
      ['0'],
    ],
    ['a := (SELECT n FROM [5, 3, 900, 7] n WHERE n IN (SELECT b.id FROM big b)); a', ['5', '3', '900', '7']],
    [
      'a := (SELECT b.id, (SELECT p.name FROM people p WHERE p.id = b.id) AS n FROM huge b); SELECT COUNT(*) FROM a x AT i WHERE x.id <> i',
      ['0'],
    ],
    ['a := (SELECT b.id, COUNT(*) OVER (PARTITION BY b.g) AS n FROM big b); SELECT COUNT(*) FROM a x AT i WHERE x.id <> i', ['0']],
    ['a := (SELECT DISTINCT b.g FROM big b); a', ['0', '1', '2', '3', '4', '5', '6']],
    ['a := (SELECT p FROM big b, b.ps p); SELECT COUNT(*) FROM a x AT i WHERE x <> i / 3 + i % 3', ['0']],
    [
      'a := (SELECT g, COLLECT(id) AS ids FROM big GROUP BY g); SELECT g FROM a WHERE ANY(ids, \\(x) -> x % 7 <> g) OR ids[1000] <> 7000 + g',
      [],
    ],
    [
      'SELECT id, (SELECT p.id FROM people p WHERE p.id <= b.id) AS ps FROM big b WHERE b.id % 100000 = 3',
      ['{"id":3,"ps":[1,2,3]}', '{"id":100003,"ps":[1,2,3,4]}', '{"id":200003,"ps":[1,2,3,4]}'],
    ],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});
