import type { StoredTable } from '@svc/database';

import { openTables, type TestTables } from '../testing/open-tables.ts';
import { deleteOldRows, type OldRowsBatch, type OldRowsOptions, type OldRowsResult } from './delete-old-rows.ts';

let tables: TestTables;

beforeAll(async () => {
  tables = await openTables();
});

afterAll(() => tables.close());

/** Creates a table with `old` rows older than a day, one new row, and one without a time. */
async function aTable(name: string, old: number): Promise<StoredTable> {
  const table = await tables.create(name, 'collection(record(id: int, at: timestamp nullable))');
  const rows = Array.from({ length: old }, (_, id) => ({ id, at: '2020-02-29T12:00:00' }));
  const all = [...rows, { id: -1, at: new Date().toISOString().slice(0, -1) }, { id: -2, at: null }];
  await tables.append(table, all.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return table;
}

function deleteOld(table: StoredTable, options: Partial<OldRowsOptions> = {}): Promise<OldRowsResult> {
  return deleteOldRows(
    tables.database,
    { table, retention: { interval: 'P1D', field: 'at' } },
    { signal: new AbortController().signal, inBatch: (_, remove) => remove(), rowsAtOnce: 4, ...options },
  );
}

/** The ids of a table's rows. */
async function idsOf(table: StoredTable): Promise<readonly number[]> {
  return (await tables.rows(table)).map((row) => (JSON.parse(row) as { readonly id: number }).id);
}

test('old rows are deleted in batches, and those that are new or have no time stay', async () => {
  const table = await aTable('batches', 10);
  const batches: OldRowsBatch[] = [];
  const inBatch: OldRowsOptions['inBatch'] = async (_, remove) => {
    const batch = await remove();
    batches.push(batch);
    return batch;
  };
  expect(await deleteOld(table, { inBatch })).toBe('done');
  expect(batches.map(({ deleted, isLast }) => [deleted, isLast])).toEqual([
    [4, false],
    [4, false],
    [2, true],
  ]);
  expect(Date.now() - 86_400_000 - Date.parse(`${batches[0]?.before ?? ''}Z`)).toBeLessThan(300_000);
  expect(await idsOf(table)).toEqual([-1, -2]);
});

test('one process at a time deletes, readers and writers do not wait for it, and it ends between batches', async () => {
  const table = await aTable('alone', 10);
  const stop = new AbortController();
  const inBatch: OldRowsOptions['inBatch'] = async (_, remove) => {
    const batch = await remove();
    // In the middle of the transaction.
    expect(await deleteOld(table)).toBe('busy');
    expect(await idsOf(table)).toHaveLength(12);
    expect(await tables.append(table, '{"id":10}\n')).toEqual({ kind: 'stored', rowCount: 1 });
    stop.abort();
    return batch;
  };
  expect(await deleteOld(table, { inBatch, signal: stop.signal })).toBe('stopped');
  expect(await idsOf(table)).toHaveLength(9);
  expect(await deleteOld(table, { inBatch: async () => null })).toBe('stopped');
  expect(await deleteOld(table)).toBe('done');
  expect(await idsOf(table)).toEqual([-1, -2, 10]);
});

test('rows that somebody is changing are left for the next time', async () => {
  const table = await aTable('changing', 3);
  await tables.database.transaction(async ({ client }) => {
    await client.query(`UPDATE user_rows.t${table.id} SET c2 = now() WHERE c1 = 1`);
    expect(await deleteOld(table)).toBe('done');
  });
  expect((await idsOf(table)).toSorted((a, b) => a - b)).toEqual([-2, -1, 1]);
});
