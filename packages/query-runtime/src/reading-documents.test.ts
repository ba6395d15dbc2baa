import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime({ spoolMegabytes: 500 });
  const rows = Array.from({ length: 5000 }, (_, i) => ({ id: i, k: i % 10, name: `n${i % 100}`, tags: i % 3 === 0 ? [] : [i % 5, i % 7] }));
  await at.write('rows.json', JSON.stringify(rows));
  await at.write('ids.json', JSON.stringify(rows.map(({ id }) => id * 3)));
  await at.write('document.json', JSON.stringify({ title: 'x', deep: { rows }, ids: rows.map(({ id }) => id * 3) }));
});
afterAll(() => at.close());

/** The same program over collections in a document, declared or not, and over files that are collections. */
const OF_FILES = 'r := READ("file:rows.json"); s := READ("file:ids.json");';
const OF_DOCUMENT = 'd := READ("file:document.json"); r := d.deep.rows; s := d.ids;';

test.each([
  'SELECT x.k, COUNT(*) AS n, MAX(x.name) AS m FROM r x GROUP BY x.k',
  'SELECT x.id FROM r x WHERE x.id IN s AND x.k = 3 LIMIT 5',
  'SELECT x.id FROM r x WHERE x.id IN (SELECT y + 1 FROM s y) LIMIT 5',
  'SELECT COUNT(*) FROM r x WHERE EXISTS(SELECT y FROM s y WHERE y = x.id)',
  'SELECT x.id, (SELECT COUNT(*) FROM r y WHERE y.k = x.k AND y.id < x.id) AS before FROM r x WHERE x.id < 30',
  'SELECT x.id, (SELECT y.id FROM r y WHERE y.k = x.k ORDER BY y.id DESC LIMIT 2) AS last FROM r x LIMIT 3',
  'SELECT x.name, y FROM r x JOIN s y ON x.id = y ORDER BY y DESC LIMIT 4',
  'SELECT x.id, i, s[i] AS y FROM r x AT i WHERE x.k = 9 LIMIT 4',
  'SELECT x.id, t FROM r x, x.tags t WHERE x.id < 9',
  'SELECT x.id, LAG(x.name) OVER (PARTITION BY x.k ORDER BY x.id DESC) AS next FROM r x LIMIT 4',
  '(a: LEN(r), b: s[7], c: CSUM(s), e: LEN(s EXCEPT (SELECT x.id FROM r x)), f: TAKE(s INTERSECT (SELECT x.id FROM r x), 3), g: r[1].tags)',
  'SELECT x FROM r x ORDER BY x.id DESC LIMIT 2',
  'SELECT x.id, (SELECT SUM(y) FROM x.tags t JOIN s y ON y = t) AS sum, (SELECT t, z.name FROM x.tags t LEFT JOIN r z ON z.id = t) AS n FROM r x LIMIT 5',
  'SELECT x.id, (SELECT z.name FROM r z WHERE z.id = x.tags[1]) AS n, TRANSFORM(x.tags, \\(t) -> CFIRST(SELECT z.name FROM r z WHERE z.id = t)) AS all FROM r x LIMIT 5',
  'SELECT x.k, (SELECT MAX(y) FROM s y WHERE y % 10 = x.k) AS m, (SELECT name FROM * LIMIT 1) AS first FROM r x GROUP BY x.k',
  'TRANSFORM([1, 3], \\(n) -> (SELECT COUNT(*) FROM s y WHERE y % n = 0))',
  'SELECT IF x.k = 1 THEN (SELECT MIN(y) FROM s y WHERE y > x.id) ELSE NULL AS m FROM r x LIMIT 3',
  'SELECT TRY(10 / y) FROM s y LIMIT 2',
])('a collection in a document is as the rows of a file: %s', async (text) => {
  const expected = await at.run(`${OF_FILES} ${text}`);
  expect(expected.filter((line) => line.startsWith('!'))).toEqual([]);
  expect(await at.run(`${OF_DOCUMENT} ${text}`)).toEqual(expected);
  const read = 'READ("file:document.json")';
  expect(await at.run(`r := ${read}.deep.rows; s := ${read}.ids; ${text}`)).toEqual(expected);
});

// Comparing all pairs would take longer than a query may.
test.each([
  ['SELECT COUNT(*) FROM d.r x WHERE EXISTS(SELECT y FROM d.b y WHERE y = x.k)', '100000'],
  ['SELECT SUM(SELECT COUNT(*) FROM d.b y WHERE y = x.k) FROM d.r x', '1000000000'],
  ['LEN(SELECT x.v, d.a[x.v] AS y FROM d.r x)', '100000'],
  ['LEN(d.a EXCEPT d.b)', '99990'],
  ['SELECT SUM(SELECT SUM(y.k) FROM x.list i JOIN d.r y ON y.v = i) FROM d.q x', '900000'],
  ['CSUM(SELECT (SELECT MAX(y.k) FROM d.r y WHERE y.v = x.list[1]) FROM d.q x)', '450000'],
  ['LEN(SELECT x.v FROM d.r x WHERE x.v IN (SELECT y FROM d.b y))', '10'],
])('a document of 100,000 elements: %s', async (text, expected) => {
  const numbers = Array.from({ length: 100_000 }, (_, i) => i);
  const document = {
    a: numbers,
    b: numbers.map((i) => i % 10),
    r: numbers.map((v) => ({ k: v % 10, v })),
    q: numbers.map((i) => ({ list: [i, 99_999 - i] })),
  };
  await at.write('long.json', JSON.stringify(document));
  expect(await at.run(`d := READ("file:long.json"); ${text}`)).toEqual([expected]);
});
