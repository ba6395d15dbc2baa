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

/** What a table takes of some rows, and holds then. */
async function storeRows(name: string, type: string, rows: readonly string[], uniqueField?: string): Promise<Stored> {
  const indexes = uniqueField === undefined ? [] : [{ name: null, fields: [uniqueField], unique: true }];
  const table = await tables.create(name, type, indexes);
  const batch = new RowBatch(table);
  for (const row of rows) batch.add(Buffer.from(row), { start: 0, end: Buffer.byteLength(row) });
  const { refused } = await tables.database.transaction((at) => batch.store(at));
  return { refused, rows: await tables.rows(table) };
}

test('rows are stored in their order, within the transaction of the caller', async () => {
  const table = await tables.create('ordered', 'collection(record(a: int, b: string nullable))');
  const batch = new RowBatch(table);
  const [first, second] = ['{"a":1,"b":"x"}', '{"a":2,"b":null}'].map((text) => Buffer.from(text));
  expect([first, second].map((row) => batch.add(row ?? Buffer.alloc(0), { start: 0, end: row?.byteLength ?? 0 }))).toEqual([null, null]);
  await expect(
    tables.database.transaction(async (at) => {
      await batch.store(at);
      throw new Error('the caller changed its mind');
    }),
  ).rejects.toThrow('the caller changed its mind');
  expect(await tables.rows(table)).toEqual([]);
});

test('a row that is none of the table is named and not added', async () => {
  const table = await tables.create('typed', 'collection(record(a: int))');
  const batch = new RowBatch(table);
  const add = (text: string): string | null => batch.add(Buffer.from(text), { start: 0, end: Buffer.byteLength(text) });
  expect([add('{"a":1}'), add('{"a":"x"}'), add('{"a":3}')]).toEqual([
    null,
    'field a: expected int (an integer from -2147483648 to 2147483647), found "x"',
    null,
  ]);
  expect(batch.rowCount).toBe(2);
  await tables.database.transaction((at) => batch.store(at));
  expect(await tables.rows(table)).toEqual(['{"a":1}', '{"a":3}']);
});

test('rows that a unique index refuses cost no other row', async () => {
  const values = Array.from({ length: 500 }, (_, i) => (i % 7 === 6 ? i - 1 : i));
  const { refused, rows } = await storeRows(
    'unique',
    'collection(record(a: int))',
    values.map((a) => JSON.stringify({ a })),
    'a',
  );
  const repeated = values.flatMap((value, i) => (value === i ? [] : [i]));
  expect(refused.map(({ row }) => row)).toEqual(repeated);
  expect(refused[0]?.problem).toBe('field a: another row has the same value, and there is a unique index');
  expect(rows).toHaveLength(500 - repeated.length);
});

test('a value that is too long for an index is refused alone', async () => {
  const long = Array.from({ length: 9000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('');
  const rows = ['a', long, 'b'].map((a) => JSON.stringify({ a }));
  const stored = await storeRows('long', 'collection(record(a: string))', rows, 'a');
  expect(stored.refused).toEqual([{ row: 1, problem: 'it is too long for PostgreSQL, or one of its values for an index on it' }]);
  expect(stored.rows).toHaveLength(2);
});
