import { openQueryRunner, type QueryRunner } from '../../testing/query-runner.ts';
import { TEST_TABLES } from '../../testing/test-tables.ts';

/** Tests of one SELECT block over relations: text in, lines out. */
let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(async () => runner.close());

describe('rows, items and WHERE', () => {
  it.each([
    [
      'SELECT * FROM people',
      [
        '{"id":1,"name":"Ann","age":30,"city":"Lyon"}',
        '{"id":2,"name":"Bob","age":null,"city":"Oslo"}',
        '{"id":3,"name":"Cid","age":30,"city":null}',
        '{"id":4,"name":"Dan","age":20,"city":"Lyon"}',
      ],
    ],
    ['SELECT name FROM people WHERE age > 20', ['"Ann"', '"Cid"']],
    ['SELECT (x: id, y: name) FROM people WHERE (x: id, y: name) = (x: 1, y: "Ann")', ['{"x":1,"y":"Ann"}']],
    ['SELECT * FROM []', []],
    ['people[1].name', ['"Bob"']],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('joins', () => {
  it.each([
    [
      'SELECT p.name, q.pet FROM people p JOIN pets q ON p.id = q.owner ORDER BY p.name, q.pet',
      ['{"name":"Ann","pet":"cat"}', '{"name":"Ann","pet":"dog"}', '{"name":"Cid","pet":"eel"}'],
    ],
    [
      'SELECT p.name, q.pet FROM people p LEFT JOIN pets q ON p.id = q.owner ORDER BY p.name, q.pet',
      [
        '{"name":"Ann","pet":"cat"}',
        '{"name":"Ann","pet":"dog"}',
        '{"name":"Bob","pet":null}',
        '{"name":"Cid","pet":"eel"}',
        '{"name":"Dan","pet":null}',
      ],
    ],
    [
      'SELECT p.name, q.pet FROM people p RIGHT JOIN pets q ON p.id = q.owner ORDER BY q.pet',
      ['{"name":"Ann","pet":"cat"}', '{"name":"Ann","pet":"dog"}', '{"name":"Cid","pet":"eel"}', '{"name":null,"pet":"fox"}'],
    ],
    [
      'SELECT p.name, q FROM people p FULL JOIN pets q ON p.id = q.owner ORDER BY q.pet, p.name',
      [
        '{"name":"Bob","q":null}',
        '{"name":"Dan","q":null}',
        '{"name":"Ann","q":{"owner":1,"pet":"cat"}}',
        '{"name":"Ann","q":{"owner":1,"pet":"dog"}}',
        '{"name":"Cid","q":{"owner":3,"pet":"eel"}}',
        '{"name":null,"q":{"owner":9,"pet":"fox"}}',
      ],
    ],
    [
      'SELECT p.name, q FROM people p LEFT JOIN pets q ON p.id = q.owner AND q.pet IN (SELECT pet FROM pets WHERE pet < "dog") ORDER BY p.name',
      ['{"name":"Ann","q":{"owner":1,"pet":"cat"}}', '{"name":"Bob","q":null}', '{"name":"Cid","q":null}', '{"name":"Dan","q":null}'],
    ],
    [
      'SELECT p.name, q FROM people p LEFT JOIN pets q ON p.id = q.owner AND p.id IN (SELECT owner FROM pets) ORDER BY p.name, q.pet',
      [
        '{"name":"Ann","q":{"owner":1,"pet":"cat"}}',
        '{"name":"Ann","q":{"owner":1,"pet":"dog"}}',
        '{"name":"Bob","q":null}',
        '{"name":"Cid","q":{"owner":3,"pet":"eel"}}',
        '{"name":"Dan","q":null}',
      ],
    ],
    ['SELECT x, y FROM [1, 2] x FULL JOIN [2, 3] y ON x = y ORDER BY x, y', ['{"x":null,"y":3}', '{"x":1,"y":null}', '{"x":2,"y":2}']],
    ['SELECT a.id AS i FROM people a, people b, people c WHERE a.id = b.id AND b.id = c.id AND c.id = 2', ['{"i":2}']],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('dependent sources', () => {
  it.each([
    [
      'SELECT o.id, i.k, i.n FROM orders o, o.items i',
      ['{"id":1,"k":"a","n":3}', '{"id":1,"k":"b","n":1}', '{"id":1,"k":"a","n":2}', '{"id":3,"k":"c","n":5}'],
    ],
    [
      'SELECT o.id, i.k, p FROM orders o, o.items i AT p',
      ['{"id":1,"k":"a","p":0}', '{"id":1,"k":"b","p":1}', '{"id":1,"k":"a","p":2}', '{"id":3,"k":"c","p":0}'],
    ],
    [
      'SELECT o.id, i.k, p FROM orders o LEFT JOIN o.items i AT p ON i.n > 1',
      ['{"id":1,"k":"a","p":0}', '{"id":1,"k":"a","p":2}', '{"id":2,"k":null,"p":null}', '{"id":3,"k":"c","p":0}'],
    ],
    [
      'SELECT o.id, i FROM orders o LEFT JOIN o.items i ON i.n > 2',
      ['{"id":1,"i":{"k":"a","n":3}}', '{"id":2,"i":null}', '{"id":3,"i":{"k":"c","n":5}}'],
    ],
    [
      'SELECT p.id, x FROM people p, (SELECT q.pet FROM pets q WHERE q.owner = p.id) x ORDER BY x',
      ['{"id":1,"x":"cat"}', '{"id":1,"x":"dog"}', '{"id":3,"x":"eel"}'],
    ],
    [
      'SELECT x, i FROM (SELECT id FROM people ORDER BY id DESC) x AT i',
      ['{"x":4,"i":0}', '{"x":3,"i":1}', '{"x":2,"i":2}', '{"x":1,"i":3}'],
    ],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('groups', () => {
  it.each([
    [
      'SELECT age, COUNT(*) AS n, COLLECT(name) AS names FROM people GROUP BY age',
      ['{"age":null,"n":1,"names":["Bob"]}', '{"age":20,"n":1,"names":["Dan"]}', '{"age":30,"n":2,"names":["Ann","Cid"]}'],
    ],
    [
      'SELECT age, STRING_AGG(name, ",") AS names, FIRST(name) AS f, LAST(name) AS l FROM people GROUP BY age ORDER BY age DESC',
      [
        '{"age":30,"names":"Ann,Cid","f":"Ann","l":"Cid"}',
        '{"age":20,"names":"Dan","f":"Dan","l":"Dan"}',
        '{"age":null,"names":"Bob","f":"Bob","l":"Bob"}',
      ],
    ],
    [
      'SELECT age, COLLECT(name ORDER BY name DESC) AS names FROM people GROUP BY age',
      ['{"age":null,"names":["Bob"]}', '{"age":20,"names":["Dan"]}', '{"age":30,"names":["Cid","Ann"]}'],
    ],
    [
      'SELECT city, (SELECT name FROM * WHERE age > 20 ORDER BY name DESC LIMIT 1) AS top FROM people GROUP BY city',
      ['{"city":null,"top":["Cid"]}', '{"city":"Lyon","top":["Ann"]}', '{"city":"Oslo","top":[]}'],
    ],
    [
      'SELECT city, (SELECT COUNT(*) FROM * WHERE age > 20) AS n, SUM(SELECT age FROM *) AS s, * AS g FROM people GROUP BY city',
      [
        '{"city":null,"n":1,"s":30,"g":[{"id":3,"name":"Cid","age":30,"city":null}]}',
        '{"city":"Lyon","n":1,"s":50,"g":[{"id":1,"name":"Ann","age":30,"city":"Lyon"},{"id":4,"name":"Dan","age":20,"city":"Lyon"}]}',
        '{"city":"Oslo","n":0,"s":null,"g":[{"id":2,"name":"Bob","age":null,"city":"Oslo"}]}',
      ],
    ],
    ['SELECT city, COUNT(*) AS n FROM people GROUP BY city HAVING COUNT(*) > 1', ['{"city":"Lyon","n":2}']],
    ['SELECT COUNT(*) AS n, MAX(age) AS m FROM people HAVING COUNT(*) > 10', ['null']],
    ['SELECT age FROM people GROUP BY age ORDER BY COUNT(*) DESC, age', ['30', 'null', '20']],
    [
      'SELECT p.name, COUNT(q.pet) AS n FROM people p LEFT JOIN pets q ON p.id = q.owner GROUP BY p.name',
      ['{"name":"Ann","n":2}', '{"name":"Bob","n":0}', '{"name":"Cid","n":1}', '{"name":"Dan","n":0}'],
    ],
    ['SELECT FIRST(pet) AS f, LAST(pet) AS l, COLLECT(pet) AS c FROM pets', ['{"f":"cat","l":"fox","c":["cat","dog","eel","fox"]}']],
    ['SELECT SUM(CAST(s AS int)) FILTER (WHERE ok) FROM texts', ['40']],
    [
      'SELECT k, (SELECT n, COUNT(*) AS c FROM * GROUP BY n) AS g FROM (SELECT i.k, i.n FROM orders o, o.items i) GROUP BY k',
      ['{"k":"a","g":[{"n":2,"c":1},{"n":3,"c":1}]}', '{"k":"b","g":[{"n":1,"c":1}]}', '{"k":"c","g":[{"n":5,"c":1}]}'],
    ],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('DISTINCT, ORDER BY, LIMIT', () => {
  it.each([
    ['SELECT DISTINCT age FROM people', ['null', '20', '30']],
    [
      'SELECT DISTINCT age, city FROM people ORDER BY city DESC, age',
      ['{"age":null,"city":"Oslo"}', '{"age":20,"city":"Lyon"}', '{"age":30,"city":"Lyon"}', '{"age":30,"city":null}'],
    ],
    ['SELECT name FROM people ORDER BY age DESC, name LIMIT 2 OFFSET 1', ['"Cid"', '"Dan"']],
    ['SELECT name FROM people ORDER BY (SELECT COUNT(*) FROM pets WHERE owner = id) DESC, name', ['"Ann"', '"Cid"', '"Bob"', '"Dan"']],
    ['SELECT id FROM people LIMIT (SELECT COUNT(*) FROM pets) - 2', ['1', '2']],
    ['SELECT id FROM people LIMIT 1 - 2', ['! LIMIT is negative at 1 - 2']],
    ['SELECT id FROM people LIMIT NULL OFFSET 2', ['3', '4']],
    ['TAKE((SELECT name FROM people), 2)', ['"Ann"', '"Bob"']],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('windows', () => {
  it.each([
    [
      'SELECT name, ROW_NUMBER() OVER (PARTITION BY age ORDER BY id DESC) AS r, SUM(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM people',
      ['{"name":"Ann","r":2,"s":1}', '{"name":"Bob","r":1,"s":3}', '{"name":"Cid","r":1,"s":5}', '{"name":"Dan","r":1,"s":7}'],
    ],
    [
      'SELECT name, LAG(name) OVER (ORDER BY id) AS l FROM people ORDER BY id DESC',
      ['{"name":"Dan","l":"Cid"}', '{"name":"Cid","l":"Bob"}', '{"name":"Bob","l":"Ann"}', '{"name":"Ann","l":null}'],
    ],
    [
      'SELECT id, COUNT(*) OVER (PARTITION BY city) AS n FROM people',
      ['{"id":1,"n":2}', '{"id":2,"n":1}', '{"id":3,"n":1}', '{"id":4,"n":2}'],
    ],
    [
      'SELECT NTILE(2) OVER (ORDER BY id) AS t, FIRST_VALUE(name) OVER (PARTITION BY age ORDER BY id) AS f, COLLECT(id) OVER (ORDER BY id) AS c FROM people',
      ['{"t":1,"f":"Ann","c":[1]}', '{"t":1,"f":"Bob","c":[1,2]}', '{"t":2,"f":"Ann","c":[1,2,3]}', '{"t":2,"f":"Dan","c":[1,2,3,4]}'],
    ],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('set operators', () => {
  it.each([
    ['(SELECT id FROM people) UNION (SELECT owner FROM pets)', ['1', '2', '3', '4', '9']],
    ['(SELECT id FROM people) ++ (SELECT owner FROM pets)', ['1', '2', '3', '4', '1', '1', '3', '9']],
    ['(SELECT id FROM people) EXCEPT (SELECT owner FROM pets) ORDER BY 1 DESC', ['4', '2']],
    ['(SELECT id FROM people) INTERSECT (SELECT owner FROM pets)', ['1', '3']],
    ['SELECT id FROM people UNION ALL SELECT owner FROM pets ORDER BY 1 LIMIT 3', ['1', '1', '1']],
    ['SELECT x FROM (IF 1 = 2 THEN (SELECT id FROM people) ELSE (SELECT owner FROM pets)) x', ['1', '1', '3', '9']],
    ['CAST((SELECT id FROM people) AS collection(string))', ['"1"', '"2"', '"3"', '"4"']],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

describe('aggregates of whole collections', () => {
  it.each([
    [
      '(a: LEN(people), b: CSUM(SELECT id FROM people), c: CFIRST(SELECT name FROM people), d: EXISTS(SELECT 1 FROM people WHERE id > 10))',
      ['{"a":4,"b":10,"c":"Ann","d":false}'],
    ],
  ])('%s', async (query, lines) => {
    expect(await runner.run(query)).toEqual(lines);
  });
});

test('what is a column already gets no layer that names it again: each layer is planned at each run', () => {
  const { sql } = runner.lower('SELECT city, COUNT(*) AS n FROM people GROUP BY city ORDER BY n DESC LIMIT 2');
  expect(sql.match(/SELECT \*, [^(]* AS /g)).toBeNull();
});
