import { copyLine } from '../testing/copy-line.ts';
import { openTables, type TestTables } from '../testing/open-tables.ts';
import type { RefusedRow } from './gathered-rows.ts';
import { RowBatch } from './row-batch.ts';

let tables: TestTables;

beforeAll(async () => {
  tables = await openTables();
});

afterAll(() => tables.close());

interface Stored {
  readonly refused: readonly RefusedRow[];
  readonly rows: readonly string[];
}

/** Stores some rows; returns what the table accepted and contains. */
async function storeRows(name: string, type: string, values: readonly (string | number)[], uniqueField?: string): Promise<Stored> {
  const indexes = uniqueField === undefined ? [] : [{ name: null, fields: [uniqueField], unique: true }];
  const table = await tables.create(name, type, indexes);
  const batch = new RowBatch(table, ['a']);
  for (const value of values) batch.add(copyLine(value));
  const { refused } = await tables.database.transaction((at) => batch.store(at));
  return { refused, rows: await tables.rows(table) };
}

test('rows are stored in their order, within the transaction of the caller', async () => {
  const table = await tables.create('ordered', 'collection(record(a: int, b: string nullable))');
  const batch = new RowBatch(table, ['b', 'a']);
  for (const row of [copyLine('x', 1), copyLine(null, 2)]) batch.add(row);
  await expect(
    tables.database.transaction(async (at) => {
      await batch.store(at);
      throw new Error('the caller changed its mind');
    }),
  ).rejects.toThrow('the caller changed its mind');
  expect(await tables.rows(table)).toEqual([]);
  expect(await tables.database.transaction((at) => batch.store(at))).toEqual({ rows: 2, refused: [] });
  expect(await tables.rows(table)).toEqual(['{"a":1,"b":"x"}', '{"a":2,"b":null}']);
});

test.each([
  ['date', '0000-01-01', 'field a: PostgreSQL cannot store it: date/time field value out of range: "0000-01-01"'],
  ['string', 'x\0', 'it holds text with U+0000, which PostgreSQL cannot store'],
  ['collection(string)', '["\\\\u0000"]', 'field a: it holds text with U+0000, which PostgreSQL cannot store'],
  ['any', '['.repeat(200_000) + ']'.repeat(200_000), 'it is nested too deeply'],
])('%s that PostgreSQL cannot hold is refused alone', async (type, value, problem) => {
  const batch = new RowBatch(await tables.create(`refused_${type.slice(0, 6)}`, `collection(record(a: ${type} nullable, n: int))`), [
    'a',
    'n',
  ]);
  for (const [n, a] of [null, value, null].entries()) batch.add(copyLine(a, n));
  expect(await tables.database.transaction((at) => batch.store(at))).toEqual({ rows: 2, refused: [{ row: 1, problem }] });
});

test('rows that a unique index refuses cost no other row', async () => {
  const values = Array.from({ length: 500 }, (_, i) => (i % 7 === 6 ? i - 1 : i));
  const { refused, rows } = await storeRows('unique', 'collection(record(a: int))', values, 'a');
  const repeated = values.flatMap((value, i) => (value === i ? [] : [i]));
  expect(refused.map(({ row }) => row)).toEqual(repeated);
  expect(refused[0]?.problem).toBe('field a: another row has the same value, and there is a unique index');
  expect(rows).toHaveLength(500 - repeated.length);
});

test('a row that is too long for its page is refused alone', async () => {
  const fields = Array.from({ length: 1600 }, (_, i) => `f${i}`);
  const table = await tables.create('wide', `collection(record(${fields.map((name) => `${name}: long nullable`).join(', ')}))`);
  const batch = new RowBatch(table, fields);
  for (const cell of [null, 1, null, null]) batch.add(copyLine(...fields.map(() => cell)));
  expect(await tables.database.transaction((at) => batch.store(at))).toEqual({
    rows: 3,
    refused: [{ row: 1, problem: expect.stringMatching(/more than the 8 kB of a row of PostgreSQL/) }],
  });
});

test('a value that is too long for an index is refused alone', async () => {
  const long = Array.from({ length: 9000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('');
  const stored = await storeRows('long', 'collection(record(a: string))', ['a', long, 'b'], 'a');
  expect(stored.refused).toEqual([{ row: 1, problem: 'it is too long for PostgreSQL, or one of its values for an index on it' }]);
  expect(stored.rows).toHaveLength(2);
});
