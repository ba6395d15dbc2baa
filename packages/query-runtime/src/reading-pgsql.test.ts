import { createNetworkGuard } from '@svc/network-guard';
import { NO_CREDENTIALS, type CredentialUse, type DatabaseCredential } from '@svc/sources';
import { adminQuery, createTestDatabase, createTestRole, eventually, serverOf, type TestDatabase, type TestRole } from '@svc/test-kit';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';
import { READER } from './testing/test-runtime.ts';

let database: TestDatabase;
let role: TestRole;
let runtime: ReadingRuntime;
let registered: DatabaseCredential;
const uses: CredentialUse[] = [];

const SETUP = [
  `CREATE TYPE mood AS ENUM ('sad', 'happy')`,
  `CREATE DOMAIN euros AS numeric(10,2)`,
  `CREATE TYPE pair AS (a int, b text)`,
  `CREATE TABLE kinds (
    s int2 NOT NULL, i int4, l int8, r float4, d float8, n numeric(20,4), m numeric, wide numeric(40,2), e euros, b bool, t text, v varchar(20), c char(4),
    bin bytea, dt date, tm time, ts timestamp, tz timestamptz, iv interval, u uuid, j json, jb jsonb, mo mood, ip inet, p pair, ia int4[], ta text[], na numeric[])`,
  `INSERT INTO kinds VALUES
    (1, 2, 9007199254740993, 1.5, 0.1, 1234567890123456.7891, 0.333333333333333333, 12345678901234567890123456789012345678.12, 9.99, true,
     E'a\\tb\\nc\\\\d "é"', 'v', 'ab', '\\x00ff', '2024-02-29', '23:59:59.123456', '2024-01-02 03:04:05.678', '2024-06-01 12:00:00+02',
     '1 year 2 mons 3 days 04:05:06.007', '11111111-2222-3333-4444-555555555555', '{"a": [1,\n null]}', '{"b": 1}', 'happy', '10.0.0.1/8', '(1,x)',
     '{1,NULL,3}', '{"a,b",NULL}', '{1.5}'),
    (2, NULL, NULL, 'NaN', 'Infinity', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
     NULL, NULL, NULL)`,
  `CREATE TABLE people (id int PRIMARY KEY, name text NOT NULL, born date, city text)`,
  `INSERT INTO people SELECT i, CASE i % 3 WHEN 0 THEN 'Ada' WHEN 1 THEN 'ada' ELSE 'Émile' END, date '2000-01-01' + i, NULLIF('c' || i % 5, 'c0')
   FROM generate_series(1, 1000) AS i`,
  `CREATE TABLE "odd / name" ("a b" int, "A B" int)`,
  `INSERT INTO "odd / name" VALUES (1, 2)`,
  `CREATE TABLE secret (x int)`,
  `CREATE TABLE staff (id int NOT NULL, salary numeric, dropped int, "full name" text)`,
  `ALTER TABLE staff DROP COLUMN dropped`,
  `INSERT INTO staff VALUES (1, 100, 'Ann'), (2, 200, NULL)`,
  `CREATE SCHEMA other`,
  `CREATE TABLE other.things (x int)`,
];

beforeAll(async () => {
  database = await createTestDatabase();
  role = await createTestRole(database.url);
  const grants = ['kinds', 'people', '"odd / name"'].map((table) => `GRANT SELECT ON ${table} TO ${role.name}`);
  await adminQuery(database.url, ...SETUP, ...grants, `GRANT SELECT (id, "full name") ON staff TO ${role.name}`);
  registered = { ...serverOf(database.url), username: role.name, password: role.password, properties: {}, identity: '1' };
  runtime = await openReadingRuntime({
    reach: {
      networkGuard: createNetworkGuard({ allow: ['127.0.0.1', '::1'] }),
      credentials: {
        ...NO_CREDENTIALS,
        databaseServer: async (subject, name) => (subject === READER.subject && name === 'shop' ? registered : null),
        used: (use) => void uses.push(use),
      },
    },
  });
});

afterAll(async () => {
  await runtime.close();
  await role.drop();
  await database.drop();
});

test('every type is read without loss', async () => {
  const rows = (await runtime.run('SELECT * FROM READ_PGSQL("shop", "public", "kinds") ORDER BY s')).map((line) => line);
  expect(rows).toMatchInlineSnapshot(`
[
  "{"s":1,"i":2,"l":9007199254740993,"r":1.5,"d":0.1,"n":1234567890123456.7891,"m":0.333333333333333333,"wide":"12345678901234567890123456789012345678.12","e":9.99,"b":true,"t":"a\\tb\\nc\\\\d \\"é\\"","v":"v","c":"ab","bin":"AP8=","dt":"2024-02-29","tm":"23:59:59.123456","ts":"2024-01-02T03:04:05.678","tz":"2024-06-01T10:00:00.000","iv":"P1Y2M3DT4H5M6.007S","u":"11111111-2222-3333-4444-555555555555","j":{"a": [1,  null]},"jb":{"b": 1},"mo":"happy","ip":"10.0.0.1/8","p":"(1,x)","ia":[1,null,3],"ta":["a,b",null],"na":["1.5"]}",
  "{"s":2,"i":null,"l":null,"r":null,"d":null,"n":null,"m":null,"wide":null,"e":null,"b":null,"t":null,"v":null,"c":null,"bin":null,"dt":null,"tm":null,"ts":null,"tz":null,"iv":null,"u":null,"j":null,"jb":null,"mo":null,"ip":null,"p":null,"ia":null,"ta":null,"na":null}",
]
`);
});

test('the blanks that fill up a char(n) are no part of the text, as in PostgreSQL', async () => {
  const kinds = 'READ_PGSQL("shop", "public", "kinds")';
  expect(await runtime.run(`SELECT s FROM ${kinds} WHERE c = 'ab' AND c IN ('ab', 'x') AND c >= 'ab' AND LEN(c) = 2`)).toEqual(['1']);
  expect(await runtime.run(`SELECT c FROM ${kinds} ORDER BY c DESC LIMIT 1`)).toEqual(['"ab"']);
  expect(await runtime.run(`SELECT k.s FROM ${kinds} k JOIN ["ab"] x ON x = k.c`)).toEqual(['1']);
  expect(await runtime.run(`QUERY_PGSQL("shop", "SELECT ARRAY['a'::char(3), NULL, 'b c'] AS x, 'ab '::varchar AS y")`)).toEqual([
    '{"x":["a",null,"b c"],"y":"ab "}',
  ]);
});

test.each([
  ['1.00000000000000000000000000', '1'],
  ['-0.123456789012345678000', '-0.123456789012345678'],
  ['0.0000000000000000001', "! pgsql:shop: column x: '0.0000000000000000001' is no decimal"],
  ['NaN', "! pgsql:shop: column x: 'NaN' is no decimal"],
])('the digits of a numeric decide whether it is a decimal: %s', async (written, found) => {
  const [line = ''] = await runtime.run(`SELECT q.x FROM QUERY_PGSQL("shop", "SELECT '${written}'::numeric AS x") q`);
  expect(line.replace(/ at QUERY.*/, '')).toBe(found);
});

test.each([
  [`ARRAY[['a', 'b'], ['c', 'd']]`, 'string', '{{a,b},{c,d}}'],
  [`ARRAY[['x'::char(3)]]`, 'string', '{{\\"x  \\"}}'],
  [`ARRAY[['11111111-2222-3333-4444-555555555555'::uuid]]`, 'string', '{{11111111-2222-3333-4444-555555555555}}'],
  [`ARRAY[[1.5]]`, 'string', '{{1.5}}'],
  [`ARRAY[['1'::jsonb]]`, 'any', '{{1}}'],
])('an array of several dimensions is no collection of texts of its parts: %s', async (array, element, text) => {
  const query = `QUERY_PGSQL("shop", ${JSON.stringify(`SELECT ${array} AS x`)}`;
  for (const told of element === 'any' ? [''] : ['', ` AS collection(record(x: collection(${element})))`]) {
    const [message = ''] = await runtime.run(`${query}${told})`);
    expect(message).toContain(`pgsql:shop: x: expected a collection but got "${text}"`);
  }
  expect(await runtime.run(`LEN(${query} AS collection(record(x: collection(collection(${element}))))))`)).toEqual(['1']);
});

test('types are what PostgreSQL says, and DESCRIBE names what is read as text', async () => {
  expect(await runtime.typeOf('READ("pgsql:shop/public/kinds")')).toMatchInlineSnapshot(
    `"collection(record(s: short, i: int nullable, l: long nullable, r: float nullable, d: double nullable, n: decimal nullable, m: decimal nullable, wide: string nullable, e: decimal nullable, b: bool nullable, t: string nullable, v: string nullable, c: string nullable, bin: binary nullable, dt: date nullable, tm: time nullable, ts: timestamp nullable, tz: timestamp nullable, iv: interval nullable, u: string nullable, j: any nullable, jb: any nullable, mo: string nullable, ip: string nullable, p: string nullable, ia: collection(int nullable) nullable, ta: collection(string nullable) nullable, na: collection(string nullable) nullable))"`,
  );
  const [line = ''] = await runtime.run('DESCRIBE("pgsql:shop/public/kinds")');
  expect(JSON.parse(line)).toMatchObject({
    format: 'pgsql',
    comment:
      'a table of PostgreSQL; read as text: wide (numeric(40,2)), u (uuid), mo (public.mood), ip (inet), p (public.pair), na (numeric[])',
    sampled: false,
  });
});

test('of a table of which the user may read some columns, these are read', async () => {
  const staff = 'READ_PGSQL("shop", "public", "staff")';
  expect(await runtime.typeOf(staff)).toBe('collection(record(id: int, `full name`: string nullable))');
  expect(await runtime.run(`SELECT * FROM ${staff} WHERE \`full name\` = 'Ann'`)).toEqual(['{"id":1,"full name":"Ann"}']);
  expect(await runtime.run(`SELECT COUNT(*) FROM ${staff}`)).toEqual(['2']);
  expect(await runtime.run('READ("pgsql:shop/public/staff" AS collection(record(salary: double)))')).toEqual([
    expect.stringContaining('there is no column salary: the columns are id, full name'),
  ]);
  expect(await runtime.run('READ("pgsql:shop/public/secret")')).toEqual([expect.stringContaining('permission denied')]);
});

test('a query of SQL is read', async () => {
  const text = `QUERY_PGSQL("shop", "SELECT city, count(*) AS n, count(*) FROM people GROUP BY city -- all of them")`;
  expect(await runtime.typeOf(text)).toBe('collection(record(city: string nullable, n: long nullable, count: long nullable))');
  expect(await runtime.run(`SELECT x.city, x.n FROM ${text} x ORDER BY x.city`)).toEqual([
    '{"city":null,"n":200}',
    ...[1, 2, 3, 4].map((i) => `{"city":"c${i}","n":200}`),
  ]);
});

test.each([
  ['SELECT 1; DROP TABLE people', 'syntax error at or near ";"'],
  ['SELECT 1) AS q; DROP TABLE people; --', 'syntax error'],
  ['DELETE FROM people', 'syntax error'],
  ['SELECT nothing FROM people', 'column "nothing" does not exist'],
  ['SELECT * FROM secret', 'permission denied'],
  [`SELECT set_config('transaction_read_only', 'off', false), lo_create(0)`, 'read'],
])('SQL that does more than it may is refused: %s', async (sql, message) => {
  const [answer = ''] = await runtime.run(`QUERY_PGSQL("shop", ${JSON.stringify(sql)})`);
  expect(answer).toContain(message);
});

test.each([
  ['QUERY_PGSQL("shop", "SELECT 1 AS a\\u0000")', 'SQL has no character U+0000'],
  ['READ_PGSQL("shop", "public", "people\\u0000")', 'is not a location'],
  ['READ_PGSQL("shop\\u0000", "public", "people")', 'is not a location'],
  ['READ("pgsql:shop/public%00/people")', 'is not a location'],
])('U+0000 does not get to PostgreSQL: %s', async (query, message) => {
  expect(await runtime.run(query)).toEqual([expect.stringContaining(message)]);
});

test('a type that is told is read', async () => {
  const text =
    'READ_PGSQL("shop", "public", "kinds" AS collection(record(jb: record(b: int) nullable, l: string nullable, n: double nullable, u: string nullable)))';
  expect(await runtime.run(`SELECT * FROM ${text} x WHERE x.l IS NOT NULL`)).toEqual([
    '{"jb":{"b":1},"l":"9007199254740993","n":1234567890123456.8,"u":"11111111-2222-3333-4444-555555555555"}',
  ]);
  expect(await runtime.run('READ_PGSQL("shop", "public", "people" AS collection(record(nothing: int)))')).toEqual([
    expect.stringContaining('there is no column nothing: the columns are id, name, born, city'),
  ]);
  expect(await runtime.run('READ_PGSQL("shop", "public", "people" AS collection(record(name: int)))')).toEqual([
    expect.stringContaining('the column name is string, which cannot be read as int'),
  ]);
});

test.each([
  ['i', 'int', 'kinds', 'column i: missing or null, and the type is not nullable'],
  ['l', 'int nullable', 'kinds', "column l: '9007199254740993' is no int"],
  ['ia', 'collection(int)', 'kinds', 'ia: missing or null, and the type is not nullable'],
])('a value of %s that is no %s is told with its column', async (field, type, table, message) => {
  const [answer = ''] = await runtime.run(
    `SELECT x.${field} FROM READ_PGSQL("shop", "public", "${table}" AS collection(record(${field}: ${type}))) x`,
  );
  expect(answer).toContain(`pgsql:shop/public/${table}: ${message}`);
});

test.each([
  [`SELECT 'infinity'::timestamp AS x`, "column x: 'infinity' is no timestamp"],
  [`SELECT '0044-03-15 BC'::date AS x`, "column x: '0044-03-15 BC' is no date"],
  [`SELECT 'NaN'::numeric AS x`, "column x: 'NaN' is no decimal"],
  [`SELECT 1.0 / 3 * 0.1 AS x`, 'is no decimal'],
  [`SELECT '{{1,2},{3,4}}'::int[] AS x`, 'is no int'],
])('what has no value here fails where it is read: %s', async (sql, message) => {
  const [answer = ''] = await runtime.run(`SELECT y.x FROM QUERY_PGSQL("shop", ${JSON.stringify(sql)}) y`);
  expect(answer).toContain(message);
});

test('tables and schemas are listed, of those that may be read', async () => {
  expect(await runtime.run('LS("pgsql:shop")')).toEqual(['"pgsql:shop/public/"']);
  const all = ['kinds', 'odd %2F name', 'people', 'staff'].map((name) => `"pgsql:shop/public/${name}"`);
  expect(await runtime.run('LS("pgsql:shop/public/")')).toEqual(all);
  expect(await runtime.run('SELECT x.url FROM LL("pgsql:shop/p*/*e*") x')).toEqual(all.slice(1, 3));
  expect(await runtime.run('READ("pgsql:shop/public/odd %2F name")')).toEqual(['{"a b":1,"A B":2}']);
  expect(await runtime.run('READ_PGSQL("shop", "public", "odd / name")')).toEqual(['{"a b":1,"A B":2}']);
});

test.each([
  ['READ("pgsql:shop/public/nothing")', 'path not found: pgsql:shop/public/nothing'],
  ['READ("pgsql:shop/nothing/people")', 'path not found: pgsql:shop/nothing/people'],
  ['READ("pgsql:shop/public")', 'expected a table, as in pgsql:shop/public/table'],
  ['READ("pgsql:shop/public/*")', 'a table is read by its name'],
  ['READ_CSV("pgsql:shop/public/people")', 'READ_CSV reads files'],
  ['READ("pgsql:shop/public/people", delimiter := ";")', 'option delimiter has no meaning'],
  ['READ("pgsql:nowhere/public/people")', 'there is no database server nowhere: did you register it?'],
  ['READ("pgsql:shop/public/secret")', 'permission denied'],
])('%s is refused', async (text, message) => {
  const [answer = ''] = await runtime.run(text);
  expect(answer).toContain(message);
});

test('TRY gives NULL for what is not there', async () => {
  expect(await runtime.run('TRY_READ_PGSQL("shop", "public", "nothing" AS collection(record(a: int)))')).toEqual(['null']);
});

test('rows are read anew in each run, and a table that has changed is looked at anew', async () => {
  await adminQuery(database.url, 'CREATE TABLE counted (n int)', `GRANT SELECT ON counted TO ${role.name}`);
  const text = 'SELECT * FROM READ_PGSQL("shop", "public", "counted")';
  expect(await runtime.run(text)).toEqual([]);
  await adminQuery(database.url, 'INSERT INTO counted VALUES (1)');
  expect(await runtime.run(text)).toEqual(['{"n":1}']);
  await adminQuery(database.url, 'ALTER TABLE counted ADD COLUMN m text');
  expect(await runtime.run(text)).toEqual(['{"n":1,"m":null}']);
  await adminQuery(database.url, 'DROP TABLE counted');
  expect(await runtime.run(text)).toEqual([expect.stringContaining('path not found: pgsql:shop/public/counted')]);
});

const CONDITIONS = [
  'x.id < 10',
  'x.id IN [3, 5000, 8]',
  'x.name > "Z"',
  'x.name = "ada" AND x.id <= 4',
  'x.name <> "Émile"',
  'x.born >= DATE "2002-09-01"',
  'x.city IS NULL AND x.id < 30',
  'NOT (x.city IS NULL) AND x.id < 4',
  'x.city < "c2" AND x.id < 9',
  'x.city LIKE "c2%" AND x.id < 900',
  'x.name LIKE "É%e" AND x.id < 900',
];

test.each(CONDITIONS)('a condition that goes to the server means there what it means here: %s', async (condition) => {
  const table = 'READ_PGSQL("shop", "public", "people")';
  const pushed = await runtime.run(`SELECT x.id FROM ${table} x WHERE ${condition} ORDER BY x.id`);
  // A condition on the first rows is not one on the rows of the table.
  const here = await runtime.run(`SELECT x.id FROM (SELECT * FROM ${table} LIMIT 100000) x WHERE ${condition} ORDER BY x.id`);
  expect(pushed).toEqual(here);
  expect(pushed.length).toBeGreaterThan(0);
});

test.each([
  'x.name, x.id',
  'x.name DESC, x.id DESC',
  'x.city, x.id DESC',
  'x.city DESC NULLS FIRST, x.id',
  'x.born DESC, x.id',
  'x.city NULLS LAST, x.born, x.id',
])('the first rows in an order are there what they are here: %s', async (order) => {
  const table = 'READ_PGSQL("shop", "public", "people")';
  const found = await runtime.run(`SELECT x.id FROM ${table} x WHERE x.id < 5000 ORDER BY ${order} LIMIT 7 OFFSET 2`);
  // The first rows in their own order are not ordered by the server.
  const here = await runtime.run(
    `SELECT x.id FROM (SELECT * FROM ${table} LIMIT 100000) x WHERE x.id < 5000 ORDER BY ${order} LIMIT 7 OFFSET 2`,
  );
  expect(found).toEqual(here);
  expect(found).toHaveLength(7);
});

test('rows of which no field is used are as many as there are', async () => {
  const table = 'READ_PGSQL("shop", "public", "people")';
  expect(await runtime.run(`SELECT COUNT(x.id) FROM ${table} x`)).toEqual(['1000']);
  expect(await runtime.run(`SELECT COUNT(*) FROM ${table}`)).toEqual(['1000']);
  expect(await runtime.run(`SELECT COUNT(*) FROM QUERY_PGSQL("shop", "SELECT 1 AS n FROM people LIMIT 5")`)).toEqual(['5']);
  expect(await runtime.run(`SELECT "row" FROM ${table} LIMIT 2`)).toEqual(['"row"', '"row"']);
  expect(await runtime.run(`SELECT COUNT(*) FROM ${table}, [1, 2, 3] WHERE EXISTS(SELECT 1 FROM ${table})`)).toEqual(['3000']);
});

test('a long program reads a table too', async () => {
  const long = `${'-- a remark\n'.repeat(1500)}SELECT x.id FROM READ_PGSQL("shop", "public", "people") x WHERE x.id = 3`;
  expect(await runtime.run(long)).toEqual(['3']);
});

test('functions and operators of the database mean something in SQL of the query, and nothing where a table is read', async () => {
  const people = 'SELECT x.id FROM READ_PGSQL("shop", "public", "people") x WHERE x.id < 3 AND x.name > "A" ORDER BY x.id';
  const before = await runtime.run(people);
  await adminQuery(
    database.url,
    'CREATE SCHEMA shadow',
    `GRANT USAGE ON SCHEMA shadow TO ${role.name}`,
    ...['int4', 'text'].flatMap((type) => [
      `CREATE FUNCTION shadow.never(${type}, ${type}) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT false'`,
      ...['=', '<', '>'].map((name) => `CREATE OPERATOR shadow.${name} (FUNCTION = shadow.never, LEFTARG = ${type}, RIGHTARG = ${type})`),
    ]),
    `CREATE FUNCTION shadow.to_char(timestamp, text) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT 'shadow'$$`,
    `ALTER ROLE ${role.name} SET search_path = shadow, public, pg_catalog`,
  );
  const good = registered;
  registered = { ...good, identity: 'shadowed' }; // another session
  expect(before).toEqual(['1', '2']);
  expect(await runtime.run(people)).toEqual(before);
  expect(await runtime.run('SELECT x.ts FROM READ_PGSQL("shop", "public", "kinds") x WHERE x.s = 1')).toEqual([
    '"2024-01-02T03:04:05.678"',
  ]);
  expect(await runtime.run('LS("pgsql:shop/public/people")')).toEqual(['"pgsql:shop/public/people"']);
  expect(await runtime.run('QUERY_PGSQL("shop", "SELECT id < 3 AS few FROM people WHERE id IN (1) OR name > name LIMIT 1")')).toEqual([]);
  expect(await runtime.run('QUERY_PGSQL("shop", "SELECT 1 < 2 AS few")')).toEqual(['{"few":false}']);
  registered = good;
});

test('a rejected password is said to be one, once, without the password', async () => {
  const good = registered;
  registered = { ...good, password: 'wrong-password', identity: 'wrong' };
  const answers = await Promise.all(Array.from({ length: 3 }, () => runtime.run('READ_PGSQL("shop", "public", "people")')));
  registered = good;
  for (const [answer = ''] of answers) {
    expect(answer).toContain('authentication failed: the database server refused the credentials that are registered for shop');
    expect(answer).not.toContain('wrong-password');
  }
  expect(uses.at(-1)).toMatchObject({ kind: 'rdbmsserver', name: 'shop', error: expect.stringContaining('authentication failed') });
});

test('a server whose address is not allowed is not reached', async () => {
  const good = registered;
  registered = { ...good, host: '10.1.2.3', identity: 'elsewhere' };
  const [answer = ''] = await runtime.run('READ_PGSQL("shop", "public", "people")');
  registered = good;
  expect(answer).toContain('the address of the database server may not be reached from here');
});

test('nothing is left running or open in a transaction', async () => {
  await eventually(async () => {
    const busy = await adminQuery(database.url, `SELECT state FROM pg_stat_activity WHERE usename = '${role.name}' AND state <> 'idle'`);
    expect(busy).toEqual([]);
  });
});
