import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { TEST_TABLES } from '../testing/test-tables.ts';

/** Queries within the items and conditions of others, as list functions and as sub-queries. */
let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(async () => runner.close());

describe('over collections of the row', () => {
  it.each([
    [
      'SELECT o.id, (SELECT i.k FROM o.items i WHERE i.n > 1 ORDER BY i.n) AS ks FROM orders o',
      ['{"id":1,"ks":["a","a"]}', '{"id":2,"ks":[]}', '{"id":3,"ks":["c"]}'],
    ],
    [
      'SELECT o.id, SUM(SELECT i.n FROM o.items i) AS s, COUNT(SELECT i FROM o.items i WHERE i.k = "a") AS c FROM orders o',
      ['{"id":1,"s":6,"c":2}', '{"id":2,"s":null,"c":0}', '{"id":3,"s":5,"c":0}'],
    ],
    [
      'SELECT o.id, (SELECT DISTINCT i.k FROM o.items i) AS ks, (SELECT i.n FROM o.items i LIMIT o.id) AS l FROM orders o',
      ['{"id":1,"ks":["a","b"],"l":[3]}', '{"id":2,"ks":[],"l":[]}', '{"id":3,"ks":["c"],"l":[5]}'],
    ],
    [
      'SELECT o.id, (SELECT i.n, p FROM o.items i AT p WHERE p > 0) AS l FROM orders o',
      ['{"id":1,"l":[{"n":1,"p":1},{"n":2,"p":2}]}', '{"id":2,"l":[]}', '{"id":3,"l":[]}'],
    ],
    [
      'SELECT o.id, (SELECT i.k AS a, j.k AS b FROM o.items i, o.items j WHERE i.n < j.n ORDER BY i.n, j.n) AS l FROM orders o',
      ['{"id":1,"l":[{"a":"b","b":"a"},{"a":"b","b":"a"},{"a":"a","b":"a"}]}', '{"id":2,"l":[]}', '{"id":3,"l":[]}'],
    ],
    [
      'SELECT o.id, (SELECT i.k AS a, j AS b FROM o.items i LEFT JOIN o.items j ON i.n < j.n ORDER BY i.n, j.n) AS l FROM orders o',
      [
        '{"id":1,"l":[{"a":"b","b":{"k":"a","n":2}},{"a":"b","b":{"k":"a","n":3}},{"a":"a","b":{"k":"a","n":3}},{"a":"a","b":null}]}',
        '{"id":2,"l":[]}',
        '{"id":3,"l":[{"a":"c","b":null}]}',
      ],
    ],
    [
      'SELECT o.id, (SELECT n, (SELECT COUNT(*) FROM o.items j WHERE j.n < i.n) AS below FROM o.items i) AS l FROM orders o',
      ['{"id":1,"l":[{"n":3,"below":2},{"n":1,"below":0},{"n":2,"below":1}]}', '{"id":2,"l":[]}', '{"id":3,"l":[{"n":5,"below":0}]}'],
    ],
    [
      'SELECT o.id, (SELECT COUNT(*) AS c, SUM(n) AS s FROM o.items HAVING COUNT(*) > 1) AS l FROM orders o',
      ['{"id":1,"l":{"c":3,"s":6}}', '{"id":2,"l":null}', '{"id":3,"l":null}'],
    ],
    [
      'SELECT o.id, (SELECT STRING_AGG(k, "-" ORDER BY n) FROM o.items) AS s, (SELECT COLLECT(DISTINCT k) FROM o.items) AS d, (SELECT MAX(n) - MIN(n) FROM o.items) AS r FROM orders o',
      ['{"id":1,"s":"b-a-a","d":["a","b"],"r":2}', '{"id":2,"s":null,"d":[],"r":null}', '{"id":3,"s":"c","d":["c"],"r":0}'],
    ],
    [
      'SELECT o.id, ((SELECT n FROM o.items) UNION [0]) AS u, ((SELECT n FROM o.items) EXCEPT [3]) AS e, ((SELECT n FROM o.items) INTERSECT [1, 3, NULL]) AS i FROM orders o',
      ['{"id":1,"u":[0,1,2,3],"e":[1,2],"i":[1,3]}', '{"id":2,"u":[0],"e":[],"i":[]}', '{"id":3,"u":[0,5],"e":[5],"i":[]}'],
    ],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('groups within rows', () => {
  it.each([
    [
      'SELECT o.id, (SELECT k, SUM(n) AS s FROM o.items GROUP BY k) AS g FROM orders o',
      ['{"id":1,"g":[{"k":"a","s":5},{"k":"b","s":1}]}', '{"id":2,"g":[]}', '{"id":3,"g":[{"k":"c","s":5}]}'],
    ],
    [
      'SELECT o.id, (SELECT k, (SELECT n FROM *) AS ns FROM o.items GROUP BY k) AS g FROM orders o',
      ['{"id":1,"g":[{"k":"a","ns":[3,2]},{"k":"b","ns":[1]}]}', '{"id":2,"g":[]}', '{"id":3,"g":[{"k":"c","ns":[5]}]}'],
    ],
    [
      'SELECT o.id, (SELECT k, COLLECT(n ORDER BY n DESC) AS ns, STRING_AGG(k, "-") AS s, COUNT(DISTINCT n) AS d FROM o.items GROUP BY k HAVING COUNT(*) > 1) AS g FROM orders o',
      ['{"id":1,"g":[{"k":"a","ns":[3,2],"s":"a-a","d":2}]}', '{"id":2,"g":[]}', '{"id":3,"g":[]}'],
    ],
    [
      'TRANSFORM([[1, 1, 2], [3]], \\(c) -> (SELECT x, COUNT(*) AS n FROM c x GROUP BY x ORDER BY n, x))',
      ['[{"x":2,"n":1},{"x":1,"n":2}]', '[{"x":3,"n":1}]'],
    ],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('over relations', () => {
  it.each([
    [
      'SELECT p.name, (SELECT q.pet FROM pets q WHERE q.owner = p.id) AS pets FROM people p',
      ['{"name":"Ann","pets":["cat","dog"]}', '{"name":"Bob","pets":[]}', '{"name":"Cid","pets":["eel"]}', '{"name":"Dan","pets":[]}'],
    ],
    [
      'SELECT p.name, (SELECT q.pet FROM pets q WHERE q.owner = p.id ORDER BY q.pet DESC LIMIT 1) AS pets FROM people p',
      ['{"name":"Ann","pets":["dog"]}', '{"name":"Bob","pets":[]}', '{"name":"Cid","pets":["eel"]}', '{"name":"Dan","pets":[]}'],
    ],
    [
      'SELECT p.name, (SELECT COUNT(*) FROM pets q WHERE q.owner = p.id) AS n, (SELECT MAX(q.pet) FROM pets q) AS m FROM people p',
      [
        '{"name":"Ann","n":2,"m":"fox"}',
        '{"name":"Bob","n":0,"m":"fox"}',
        '{"name":"Cid","n":1,"m":"fox"}',
        '{"name":"Dan","n":0,"m":"fox"}',
      ],
    ],
    [
      'SELECT name, (SELECT DISTINCT q.owner FROM pets q WHERE q.owner >= p.id) AS d FROM people p',
      ['{"name":"Ann","d":[1,3,9]}', '{"name":"Bob","d":[3,9]}', '{"name":"Cid","d":[3,9]}', '{"name":"Dan","d":[9]}'],
    ],
    [
      'SELECT name, (SELECT owner, COUNT(*) AS c FROM pets q WHERE q.owner >= p.id GROUP BY owner HAVING COUNT(*) < 2) AS d FROM people p',
      [
        '{"name":"Ann","d":[{"owner":3,"c":1},{"owner":9,"c":1}]}',
        '{"name":"Bob","d":[{"owner":3,"c":1},{"owner":9,"c":1}]}',
        '{"name":"Cid","d":[{"owner":3,"c":1},{"owner":9,"c":1}]}',
        '{"name":"Dan","d":[{"owner":9,"c":1}]}',
      ],
    ],
    [
      'SELECT name, (SELECT pet, ROW_NUMBER() OVER (ORDER BY pet DESC) AS r FROM pets q WHERE q.owner >= p.id) AS d FROM people p',
      [
        '{"name":"Ann","d":[{"pet":"cat","r":4},{"pet":"dog","r":3},{"pet":"eel","r":2},{"pet":"fox","r":1}]}',
        '{"name":"Bob","d":[{"pet":"eel","r":2},{"pet":"fox","r":1}]}',
        '{"name":"Cid","d":[{"pet":"eel","r":2},{"pet":"fox","r":1}]}',
        '{"name":"Dan","d":[{"pet":"fox","r":1}]}',
      ],
    ],
    [
      'SELECT name, ((SELECT pet FROM pets q WHERE q.owner = p.id) ++ ["z"]) AS d FROM people p',
      ['{"name":"Ann","d":["cat","dog","z"]}', '{"name":"Bob","d":["z"]}', '{"name":"Cid","d":["eel","z"]}', '{"name":"Dan","d":["z"]}'],
    ],
    [
      'SELECT name, ((SELECT pet FROM pets q WHERE q.owner = p.id) UNION ["z"]) AS d FROM people p',
      ['{"name":"Ann","d":["cat","dog","z"]}', '{"name":"Bob","d":["z"]}', '{"name":"Cid","d":["eel","z"]}', '{"name":"Dan","d":["z"]}'],
    ],
    [
      'SELECT (SELECT (SELECT p.name FROM pets r WHERE r.owner = q.owner) FROM pets q WHERE q.owner = p.id) FROM people p',
      ['[["Ann","Ann"],["Ann","Ann"]]', '[]', '[["Cid"]]', '[]'],
    ],
    [
      'SELECT owner, (SELECT p.name FROM * q, people p WHERE p.id = q.owner AND q.pet <> "cat") AS ps FROM pets GROUP BY owner',
      ['{"owner":1,"ps":["Ann"]}', '{"owner":3,"ps":["Cid"]}', '{"owner":9,"ps":[]}'],
    ],
    [
      'SELECT (SELECT name FROM people p WHERE p.id > q.owner LIMIT q.owner OFFSET q.owner - 1) AS l FROM pets q',
      ['{"l":["Bob"]}', '{"l":["Bob"]}', '{"l":[]}', '{"l":[]}'],
    ],
    ['SELECT (SELECT name FROM people p WHERE p.id > q.owner LIMIT q.owner - 3) AS l FROM pets q', ['! LIMIT is negative at q.owner - 3']],
    [
      'SELECT a.city, (SELECT b.name FROM people b WHERE b.city = a.city) AS ns FROM people a GROUP BY a.city',
      ['{"city":null,"ns":[]}', '{"city":"Lyon","ns":["Ann","Dan"]}', '{"city":"Oslo","ns":["Bob"]}'],
    ],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('over relations, within collections of the row', () => {
  it.each([
    [
      'SELECT o.id, TRANSFORM(o.items, \\(i) -> { x := (SELECT * FROM pets); SELECT y.pet FROM x y WHERE y.owner = i.n }) AS z FROM orders o',
      ['{"id":1,"z":[["eel"],["cat","dog"],[]]}', '{"id":2,"z":[]}', '{"id":3,"z":[[]]}'],
    ],
    [
      'SELECT o.id, (SELECT i.k, (SELECT q.pet FROM pets q WHERE q.owner = i.n) AS p FROM o.items i) AS x FROM orders o',
      [
        '{"id":1,"x":[{"k":"a","p":["eel"]},{"k":"b","p":["cat","dog"]},{"k":"a","p":[]}]}',
        '{"id":2,"x":[]}',
        '{"id":3,"x":[{"k":"c","p":[]}]}',
      ],
    ],
    [
      'SELECT o.id, (SELECT i.k FROM o.items i WHERE i.n IN (SELECT owner FROM pets)) AS x FROM orders o',
      ['{"id":1,"x":["a","b"]}', '{"id":2,"x":[]}', '{"id":3,"x":[]}'],
    ],
    [
      'SELECT TRANSFORM(o.items, \\(i) -> (SELECT pet FROM pets WHERE owner = i.n)) FROM orders o',
      ['[["eel"],["cat","dog"],[]]', '[]', '[[]]'],
    ],
    ['FILTER([1, 2, 3], \\(x) -> x IN (SELECT owner FROM pets))', ['1', '3']],
    ['TRANSFORM([1, 2, 3], \\(x) -> (SELECT MAX(owner) FROM pets) + x)', ['10', '11', '12']],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('in conditions', () => {
  it.each([
    ['SELECT name FROM people p WHERE p.id IN (SELECT owner FROM pets)', ['"Ann"', '"Cid"']],
    ['SELECT name FROM people p WHERE p.id NOT IN (SELECT owner FROM pets)', ['"Bob"', '"Dan"']],
    ['SELECT name FROM people p WHERE NOT EXISTS(SELECT q FROM pets q WHERE q.owner = p.id)', ['"Bob"', '"Dan"']],
    ['SELECT name FROM people WHERE (SELECT COUNT(*) FROM pets q WHERE q.owner = people.id) > 1', ['"Ann"']],
    ['SELECT p.id FROM people p WHERE p.age NOT IN (SELECT age FROM people q WHERE q.id <> p.id)', []],
    [
      'SELECT p.id, q.id AS i FROM people p JOIN people q ON p.id < q.id AND (SELECT COUNT(*) FROM pets t WHERE t.owner = p.id + q.id - 2) > 0 ORDER BY p.id, i',
      ['{"id":1,"i":2}', '{"id":1,"i":4}', '{"id":2,"i":3}'],
    ],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('over a collection of the row that is joined to others', () => {
  // 60,000 rows, so that the engine's threads and hash tables have their own order.
  it.each([
    ['one table', 'p LEFT JOIN huge h ON h.id = p'],
    ['two tables, one by the row around', 'p LEFT JOIN huge h ON h.id = b.id LEFT JOIN big c ON c.id = p'],
    ['the collection itself, and a table', 'p LEFT JOIN b.ps q ON q = p + 1 LEFT JOIN huge h ON h.id = p'],
    ['a query of the row around', 'p LEFT JOIN (SELECT h.id FROM huge h WHERE h.id = b.id) q ON q = p LEFT JOIN huge i ON i.id = p'],
    ['a table that it needs', 'p JOIN huge h ON h.id = p JOIN big c ON c.id = b.id'],
    ['a query over such a join', 'p, (SELECT c.g FROM big c WHERE c.id = p) q LEFT JOIN huge h ON h.id = b.id'],
  ])('%s: its order is kept', async (_, sources) => {
    const lists = `SELECT b.id, (SELECT p FROM b.ps ${sources}) AS l FROM big b WHERE b.id < 60000`;
    const found = await runner.run(
      `SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE l = [id, id + 1, id + 2]) AS same FROM (${lists}) t GROUP BY TRUE`,
    );
    expect(found).toEqual(['{"n":60000,"same":60000}']);
  });
});

test('windows over groups of 43,000 rows stay within the memory of the engine', async () => {
  const ranks = '(SELECT id, RANK() OVER (ORDER BY id DESC) AS r FROM *)';
  const lines = await runner.run(`SELECT g, LEN(SELECT z.id FROM ${ranks} z WHERE z.r < 4) AS n FROM big GROUP BY g`);
  expect(lines).toEqual([0, 1, 2, 3, 4, 5, 6].map((g) => `{"g":${g},"n":3}`));
});
