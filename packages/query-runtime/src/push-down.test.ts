import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
  await at.write('t.csv', 'id,name,price,day\n1,a,1.5,2024-01-01\n2,b,2.5,2024-01-02\n');
  await at.write('t.json', '{"id":1,"name":"a","p":{"q":[1,2],"r":3}}\n{"id":2,"name":"b","p":{"q":[],"r":4}}\n');
  await at.write('year=2024/t.csv', 'id,name\n1,a\n');
  await at.makeParquet(
    't.parquet',
    `SELECT i AS id, 'n' || i AS name, i * 1.5::DOUBLE AS price, DATE '2024-01-01' + i::INTEGER AS day FROM range(100) t(i)`,
  );
});
afterAll(() => at.close());

describe('only the columns that are used are read', () => {
  test.each([
    ['SELECT name FROM READ("file:t.csv")', 'READ_CSV', ['name']],
    ['SELECT name FROM READ("file:t.csv") WHERE id > 1', 'READ_CSV', ['id', 'name']],
    ['SELECT SUM(price) FROM READ("file:t.csv") GROUP BY name', 'READ_CSV', ['name', 'price']],
    ['SELECT n FROM (SELECT name AS n, price * 2 AS p FROM READ("file:t.csv"))', 'READ_CSV', ['name']],
    ['t := READ("file:t.csv"); SELECT t.name FROM t', 'READ_CSV', ['name']],
    ['SELECT name FROM READ("file:*/t.csv")', 'READ_CSV', ['name']],
    ['SELECT id FROM READ("file:t.csv" AS collection(record(id: long, name: string, price: decimal)))', 'READ_CSV', ['id']],
    ['SELECT name FROM READ("file:t.json")', 'READ_JSON', ['name']],
    ['SELECT t.p.r FROM READ("file:t.json") t', 'READ_JSON', ['p.r']],
    ['SELECT COUNT(*) AS n, MAX(t.id) AS m FROM READ("file:t.json") t', 'READ_JSON', ['id']],
    ['SELECT name FROM READ("file:t.parquet")', 'READ_PARQUET', ['name']],
    ['SELECT SUM(price) FROM READ("file:t.parquet") GROUP BY name', 'READ_PARQUET', ['name', 'price']],
  ])('%s', async (query, reader, columns) => {
    const { scans } = await at.plan(query);
    expect(scans.map((scan) => ({ reader: scan.reader, columns: scan.columns.toSorted() }))).toEqual([{ reader, columns }]);
  });
});

describe('filters reach Parquet', () => {
  test.each([
    ['SELECT name FROM READ("file:t.parquet") WHERE id = 7', ['id=7']],
    ['SELECT name FROM READ("file:t.parquet") WHERE id BETWEEN 7 AND 9', ['id>=7 AND id<=9']],
    ['SELECT name FROM READ("file:t.parquet") WHERE day = "2024-01-05"', [`day='2024-01-05'::DATE`]],
    ['SELECT id FROM READ("file:t.parquet") WHERE name LIKE "n1%"', [`name>='n1' AND name<'n2'`]],
    ['SELECT n FROM (SELECT id + 1 AS n, price AS p FROM READ("file:t.parquet")) WHERE p > 10', ['((price * 1.0) > 10.0)']],
    ['SELECT name, COUNT(*) AS n FROM READ("file:t.parquet") WHERE price > 10 GROUP BY name', ['((price * 1.0) > 10.0)']],
  ])('%s', async (query, filters) => {
    expect((await at.plan(query)).scans).toEqual([expect.objectContaining({ filters })]);
  });
});

describe('LIMIT stops reading', () => {
  test.each([
    ['SELECT * FROM READ("file:t.csv") LIMIT 10'],
    ['SELECT * FROM READ("file:t.parquet") LIMIT 10'],
    ['SELECT id, UPPER(name) AS n FROM READ("file:t.json") LIMIT 10'],
    ['SELECT id FROM (SELECT id, name FROM READ("file:t.json")) LIMIT 10 OFFSET 5'],
  ])('%s', async (query) => {
    expect((await at.plan(query)).isStreamingLimit).toBe(true);
  });
});
