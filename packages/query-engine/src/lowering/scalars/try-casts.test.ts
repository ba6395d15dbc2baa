import { openQueryRunner, type QueryRunner } from '../../testing/query-runner.ts';

const VALUES = [
  'null',
  '1',
  '-1.5',
  '1e300',
  '"7"',
  '"x"',
  '" "',
  'true',
  '[]',
  '{}',
  '[null]',
  '["x", 1]',
  '[1, 2]',
  '[{"q": 1}]',
  '[{"q": "x", "s": "y"}, {}]',
  '{"q": 2}',
  '{"q": null, "s": "z"}',
  '"2026-01-02"',
  '"aGk="',
  '{"q": [1], "s": 5}',
];

let runner: QueryRunner;
beforeAll(async () => {
  const rows = VALUES.map((value, i) => `(${i}, CAST('${value}' AS JSON))`).join(', ');
  const texts = `VALUES (0, ['1', '2'], {q: '1', s: 'a'}), (1, ['x'], {q: 'x', s: NULL}), (2, ['3', NULL], {q: NULL, s: '2026-01-01'}), (3, NULL, NULL), (4, [], {q: '2', s: '2026-02-02'})`;
  runner = await openQueryRunner({
    j: { type: 'record(i: int, v: any nullable)', sql: `SELECT i, nullif(v, 'null') AS v FROM (VALUES ${rows}) AS t(i, v)` },
    r: {
      type: 'record(i: int, l: collection(string nullable) nullable, o: record(q: string nullable, s: string nullable) nullable)',
      sql: `SELECT * FROM (${texts}) AS t(i, l, o)`,
    },
    big: {
      type: 'record(i: int, l: collection(string))',
      sql: `SELECT i, [CASE WHEN i % 100 = 7 THEN 'x' ELSE '1' END, '2'] AS l FROM range(100000) AS t(i)`,
    },
  });
});
afterAll(() => runner.close());

/** Returns a row's value of TRY_CAST, as CAST of it alone has it. */
async function alone(table: string, value: string, type: string, i: number): Promise<string> {
  const [line = ''] = await runner.run(`SELECT CAST(${value} AS ${type} nullable) FROM ${table} WHERE i = ${i}`);
  return line.startsWith('!') ? 'null' : line;
}

test.each([
  'int',
  'double',
  'bool',
  'date',
  'string',
  'collection(int)',
  'collection(int nullable)',
  'collection(any)',
  'record(q: int)',
  'record(q: int nullable, s: string nullable)',
  'collection(record(q: int nullable, s: string nullable))',
  'record(q: collection(int) nullable, s: int nullable)',
])('TRY_CAST of any value is NULL where CAST fails: %s', async (type) => {
  const expected = await Promise.all(VALUES.map((_, i) => alone('j', 'v', type, i)));
  expect(await runner.run(`SELECT TRY_CAST(v AS ${type}) FROM j`)).toEqual(expected);
  expect(await runner.run(`SELECT TRY(CAST(v AS ${type} nullable)) FROM j`)).toEqual(expected);
});

test.each([
  ['l', 'collection(int nullable)'],
  ['l', 'collection(int)'],
  ['l', 'collection(date nullable)'],
  ['o', 'record(q: int nullable, s: string nullable)'],
  ['o', 'record(q: int nullable, s: date nullable)'],
  ['o', 'record(q: int, s: string nullable)'],
  ['[o]', 'collection(record(q: int nullable, s: date nullable) nullable)'],
])('TRY_CAST is NULL where CAST fails: %s as %s', async (value, type) => {
  const expected = await Promise.all([0, 1, 2, 3, 4].map((i) => alone('r', value, type, i)));
  expect(await runner.run(`SELECT TRY_CAST(${value} AS ${type}) FROM r`)).toEqual(expected);
});

test.each([
  'SELECT COUNT(TRY_CAST(l AS collection(int))) FROM big',
  'SELECT COUNT(TRY(CAST((a: l, b: i) AS record(a: collection(int), b: string)).a)) FROM big',
  'SELECT COUNT(TRY(PARSE_JSON(IF i % 100 = 7 THEN "{" ELSE \'{"a": 1, "b": [2]}\' AS record(a: int, b: collection(int))).a)) FROM big',
  'SELECT COUNT(TRY(PARSE_JSON(TO_JSON(l) AS collection(int)))) FROM big',
])('what cannot be cast costs no more than what can: %s', async (text) => {
  expect(await runner.run(text)).toEqual(['99000']);
});
