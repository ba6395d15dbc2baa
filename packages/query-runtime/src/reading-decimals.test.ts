import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

/** Few digits: products and sums of literals, which have 18 after the point, would overflow or be rounded. */
const ROWS = [
  ['1', '12.34', '7', '0.000001', '0.000000001'],
  ['2', '-12.35', '-8', '-1.500000', '-0.5'],
  ['3', '0.05', '0', '2.345675', '99999.999999999'],
  ['4', '99999999.99', '99999999', '999999.999999', '1.005'],
  ['5', '-0.50', '1', '-0.005000', '-2.5'],
  ['6', null, null, null, null],
  ['7', '2.50', '-1', '10.000000', '3'],
] as const;
const NAMES = ['id', 'a', 'b', 'c', 'd'] as const;
const TYPES = ['INTEGER', 'DECIMAL(10,2)', 'DECIMAL(12,0)', 'DECIMAL(18,6)', 'DECIMAL(38,18)'] as const;

const cell = (text: string | null, i: number): string => (text === null ? 'NULL' : i === 0 ? text : `${text}q`);
/** The same rows as literals, which have one scale. */
const LITERALS = `[${ROWS.map((row) => `(${row.map((text, i) => `${NAMES[i]}: ${cell(text, i)}`).join(', ')})`).join(', ')}]`;

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
  const values = ROWS.map((row) => `(${row.map((text, i) => (text === null ? 'NULL' : `CAST('${text}' AS ${TYPES[i]})`)).join(', ')})`);
  await at.makeParquet('d.parquet', `SELECT * FROM (VALUES ${values.join(', ')}) t (${NAMES.join(', ')})`);
});
afterAll(() => at.close());

const COLUMNS = ['a', 'b', 'c', 'd'];

/** Forms that keep, calculate or lose the scale of what they are given. */
const FORMS: readonly ((x: string, y: string) => string)[] = [
  (x) => `ROUND(${x})`,
  (x) => `ROUND(${x}, 1)`,
  (x) => `ROUND(${x}, 2)`,
  (x) => `ROUND(${x}, 18)`,
  (x) => `ROUND(${x}, 30)`,
  (x) => `ROUND(${x}, -1)`,
  (x) => `ROUND(${x}, id)`,
  (x) => `TRUNCATE(${x}, 1)`,
  (x) => `TRUNCATE(-${x})`,
  (x) => `ABS(${x})`,
  (x) => `FLOOR(${x})`,
  (x) => `CEILING(-${x})`,
  (x) => `FLOOR(ROUND(${x}, 1)) + CEILING(${x} * 2)`,
  (x) => `ABS(ROUND(-${x}, 1)) * 2`,
  (x, y) => `${x} + ROUND(${y}, 1)`,
  (x, y) => `${x} * ROUND(${y}, 3)`,
  (x, y) => `ROUND(${x} / NULLIF(${y}, 0), 2)`,
  (x, y) => `ROUND(${x}, 1) = ROUND(${y}, 1)`,
  (x, y) => `ROUND(${x}, 1) < ${y}`,
  (x, y) => `CASE WHEN id % 2 = 0 THEN ${x} ELSE ${y} END`,
  (x) => `CASE id WHEN 1 THEN ${x} WHEN 2 THEN 0 WHEN 3 THEN 1.125q END`,
  (x, y) => `IF id > 3 THEN ROUND(${x}, 1) ELSE ${y} * 2`,
  (x, y) => `COALESCE(${x}, ${y}, 1.1234567q)`,
  (x) => `COALESCE(${x}, 0) + 1.5q`,
  (x) => `NULLIF(${x}, 2.5q)`,
  (x) => `CAST(${x} AS decimal(30, 1))`,
  (x) => `TRY_CAST(${x} AS decimal(5, 2))`,
  (x) => `CAST(ROUND(${x}, 1) AS string) || "!"`,
  (x) => `CAST(ABS(${x}) AS double)`,
  (x) => `CAST(id AS decimal) - ${x}`,
  (x) => `IF id = 0 THEN ERROR("no") ELSE ROUND(${x}, 1)`,
  (x, y) => `[ROUND(${x}, 1), ${y}]`,
  (x, y) => `(p: ROUND(${x}, 1), q: (r: ABS(${y})))`,
  (x, y) => `GREATEST(ROUND(${x}, 1), ${y})`,
  (x, y) => `ROUND(${x}, 1) IN (${y}, 2.5q)`,
  (x) => `TRY(ROUND(${x}, 1) * 10000000000q)`,
  (x) => `TRANSFORM([1, 2], \\(i) -> ROUND(${x}, 1) * i)`,
  (x) => `{ v := ROUND(${x}, 1); v * v + v }`,
  (x) => `{ v := ${x} * 2; IF v > 1 THEN v ELSE ROUND(v, 1) }`,
  (x) => `SUM(ROUND(${x}, 1)) OVER (ORDER BY id)`,
  (x, y) => `LAG(ROUND(${x}, 1), 1, ${y}) OVER (ORDER BY id)`,
];
const PAIRS = COLUMNS.flatMap((x, i) => [[x, COLUMNS[(i + 1) % 4] ?? ''] as const, [x, COLUMNS[(i + 2) % 4] ?? ''] as const]);

/** Queries over computed decimals. */
const QUERIES = [
  'SELECT k, COUNT(*) AS n FROM (SELECT ROUND(c, 1) AS k FROM t) GROUP BY k ORDER BY k',
  'SELECT ROUND(a, 1) AS k, SUM(b * 2) AS s, MAX(ROUND(c, 1)) AS m FROM t GROUP BY ROUND(a, 1) ORDER BY k',
  'SELECT DISTINCT ROUND(a) AS k FROM t ORDER BY k',
  'SELECT ROUND(a, 1) AS k FROM t UNION SELECT b * 2 FROM t UNION SELECT c FROM t ORDER BY k',
  'SELECT ROUND(a, 1) FROM t EXCEPT ALL SELECT ROUND(a, 0) + 0.5q FROM t ORDER BY 1',
  'SELECT x.id, y.id AS other FROM (SELECT id, ROUND(a, 0) AS k FROM t) x JOIN (SELECT id, b * 1 AS k FROM t) y ON x.k > y.k ORDER BY 1, 2',
  'SELECT x.id, y.id AS other FROM t x JOIN t y ON ROUND(x.a, 0) = y.b + 1 ORDER BY 1, 2',
  'SELECT id FROM t WHERE ROUND(a, 1) IN (SELECT ROUND(c, 1) * 0.25q FROM t) OR ABS(a) BETWEEN b AND 20 ORDER BY id',
  'SELECT id, (SELECT MAX(ROUND(u.c, 1)) FROM t u WHERE u.a < t.a) AS m FROM t ORDER BY ROUND(a, 1) DESC NULLS LAST, id',
  'SELECT ROUND(AVG(a), 2) AS x, ROUND(SUM(c), 1) AS y, SUM(CASE WHEN id > 2 THEN a ELSE 0 END) AS z FROM t',
  '{ f(x: decimal, n: int) := ROUND(x, 1) * n; SELECT f(a, id) AS y FROM t WHERE f(a, 2) > 0 ORDER BY y }',
];

const over = (source: string, query: string): string => `t := ${source};\n${query}`;

test.each(PAIRS)('columns of decimals are calculated with as decimals of one scale are: %s and %s', async (x, y) => {
  for (const form of FORMS) {
    const query = `SELECT id, ${form(x, y)} AS r FROM t ORDER BY id`;
    const expected = await at.run(over(LITERALS, query));
    expect([query, await at.run(over('READ("file:d.parquet")', query))]).toEqual([query, expected]);
  }
});

test.each(QUERIES)('rows of computed decimals are those of decimals of one scale: %s', async (query) => {
  expect(await at.run(over('READ("file:d.parquet")', query))).toEqual(await at.run(over(LITERALS, query)));
});

test('decimals of more digits than 64 bits hold are rounded as those of fewer are', async () => {
  const texts = ['123456789012345678.1251', '-123456789012345678.5000', '99999999999999.9999', '100000000000000.0000', '-0.0050', '0.9999'];
  await at.makeParquet('long.parquet', `SELECT unnest([${texts.map((text) => `CAST('${text}' AS DECIMAL(38,4))`).join(', ')}]) AS x`);
  const query =
    'SELECT ROUND(x) AS a, ROUND(x, 2) AS b, TRUNCATE(x, 1) AS c, FLOOR(x) AS d, CEILING(x) AS e, FLOOR(-x) AS f FROM t ORDER BY x';
  const lines = await at.run(over(`[${texts.map((text) => `(x: ${text}q)`).join(', ')}]`, query));
  expect(lines).toHaveLength(texts.length);
  expect(await at.run(over('READ("file:long.parquet")', query))).toEqual(lines);
});

test('FLOOR of a decimal that is no long fails at the call', async () => {
  await at.makeParquet('wide.parquet', 'SELECT 12345678901234567890.5::DECIMAL(38,1) AS x');
  expect(await at.run('SELECT 1 + FLOOR(x) FROM READ("file:wide.parquet")')).toEqual(
    await at.run('SELECT 1 + FLOOR(x) FROM [12345678901234567890.5q] x'),
  );
});
