import { openQueryRunner, type QueryRunner } from '../../testing/query-runner.ts';

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner({});
});
afterAll(() => runner.close());

/** More fields than become entries one by one. */
const FIELDS = 150;

test.each([
  ['numbers', (i: number) => (i % 3 === 0 ? `${i}L` : i % 3 === 1 ? `${i}.5` : 'NULL')],
  ['decimals of several scales', (i: number) => (i % 2 === 0 ? `${i}.123456789q` : `${i}q`)],
  ['moments', (i: number) => (i % 2 === 0 ? 'date "2024-02-29"' : 'timestamp "2024-02-29 01:02:03"')],
  ['texts', (i: number) => `"${i}"`],
  ['records', (i: number) => `(a: ${i}, A: [${i}])`],
  ['values of any type', (i: number) => (i % 3 === 0 ? 'NULL' : `CAST(${i % 3 === 1 ? `(a: [${i}, NULL])` : `"${i}"`} AS any)`)],
  ['decimals and any', (i: number) => (i % 93 === 7 ? 'CAST([1, NULL] AS any)' : `${i}.50q`)],
  ['moments and any', (i: number) => (i % 93 === 7 ? 'CAST(NULL AS any)' : `timestamp "2024-02-29 01:02:03.5"`)],
])('entries of many fields are those of few: %s', async (_, value) => {
  const name = (i: number): string => (i < 2 ? ['`k`', '`K`'][i] : i === 2 ? '`it\'s "~/x`' : `k${i}`) ?? '';
  const record = (from: number, to: number): string =>
    `(${Array.from({ length: to - from }, (__, i) => `${name(from + i)}: ${value(from + i)}`).join(', ')})`;
  const wide = await runner.run(`SELECT ENTRIES(x) FROM [${record(0, FIELDS)}, NULL] x`);
  const parts = `[(a: ${record(0, FIELDS / 2)}, b: ${record(FIELDS / 2, FIELDS)})]`;
  expect(wide).toEqual([...(await runner.run(`SELECT ENTRIES(x.a) ++ ENTRIES(x.b) FROM ${parts} x`)), 'null']);
  // By a name that is known when the program is checked, and by one that is not.
  const found = JSON.parse(wide[0] ?? '') as readonly { readonly key: string; readonly value: unknown }[];
  const values = ['k', 'K', 'k149', 'no'].map((key) => found.find((entry) => entry.key === key)?.value ?? null);
  const row = `r := ${record(0, FIELDS)};`;
  const read = async (text: string): Promise<readonly unknown[]> =>
    (await runner.run(`${row} ${text}`)).map((line) => JSON.parse(line) as unknown);
  expect(await read('SELECT GET(r, n) FROM ["k", "K", "k149", "no", NULL] n')).toEqual([...values, null]);
  expect(await read('[GET(r, "k"), GET(r, "K"), GET(r, "k149"), GET(r, "no")]')).toEqual(values);
});
