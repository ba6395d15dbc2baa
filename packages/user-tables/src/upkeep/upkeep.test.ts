import type { StoredTable } from '@svc/database';
import { eventually } from '@svc/test-kit';

import { openTables, type TestTables } from '../testing/open-tables.ts';
import { addIndexes } from './add-indexes.ts';
import { optimizeRows, vacuumRows } from './upkeep.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables.close());

/** Selects sessions of this database whose rebuild waits for a writer. Other suites have sessions on the same server. */
const REBUILDS_WAITING = `FROM pg_stat_activity WHERE query LIKE 'REINDEX%' AND wait_event_type = 'Lock' AND datname = current_database()`;

const onServer = <Row extends object>(text: string) => tables.database.session(async (client) => (await client.query<Row>(text)).rows);

/** A writer of rows whose transaction stays open until `end` is called. */
async function openWriter({ id }: StoredTable) {
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const written = tables.database.transaction(async ({ client }) => {
    await client.query(`INSERT INTO user_rows.t${id} SELECT g, 'x' FROM generate_series(1, 20001) g`);
    begun.resolve();
    await ended.promise;
  });
  await begun.promise;
  return { written, end: ended.resolve };
}

const INDEXES = [{ name: null, fields: ['a'], unique: false }];

test('optimising blocks and aborts no writer: it waits for them, they do not wait for it', async () => {
  const table = await tables.create('written', 'collection(record(a: int, s: string))', INDEXES);
  const writer = await openWriter(table);
  const optimized = optimizeRows(tables.database, table);
  await eventually(async () => expect(await onServer(`SELECT 1 AS one ${REBUILDS_WAITING}`)).toHaveLength(1));
  for (let i = 0; i < 5; i += 1) expect(await tables.append(table, `{"a":${i},"s":"beside"}`)).toEqual({ kind: 'stored', rowCount: 1 });
  expect(await optimizeRows(tables.database, table)).toBe('busy');
  expect(await vacuumRows(tables.database, table)).toBe('busy');
  writer.end();
  await writer.written;
  expect(await optimized).toBe('done');
  expect(await tables.rows(table)).toHaveLength(20_006);
  expect(await vacuumRows(tables.database, table)).toBe('done');
});

test('optimising gives up on a writer who takes too long, and what it leaves is removed by the next', async () => {
  const table = await tables.create('long_written', 'collection(record(a: int, s: string))', INDEXES);
  const invalid = () => onServer(`SELECT 1 AS one FROM pg_index WHERE NOT indisvalid`);
  const writer = await openWriter(table);
  expect(await optimizeRows(tables.database, table, { waitMillis: 100 })).toBe('busy');
  expect(await invalid()).not.toEqual([]);
  writer.end();
  await writer.written;
  expect(await optimizeRows(tables.database, table)).toBe('done');
  expect(await invalid()).toEqual([]);
});

test('one whose caller leaves ends its statement, and the next one has its turn', async () => {
  const table = await tables.create('left', 'collection(record(a: int, s: string))', INDEXES);
  const caller = new AbortController();
  const writer = await openWriter(table);
  const optimized = optimizeRows(tables.database, table, { signal: caller.signal });
  const waiting = () => onServer(`SELECT 1 AS one ${REBUILDS_WAITING}`);
  await eventually(async () => expect(await waiting()).toHaveLength(1));
  caller.abort(new Error('the caller left'));
  await expect(optimized).rejects.toThrow('the caller left');
  await eventually(async () => expect(await waiting()).toEqual([]));
  await expect(optimizeRows(tables.database, table, { signal: caller.signal })).rejects.toThrow('the caller left');
  writer.end();
  await writer.written;
  expect(await optimizeRows(tables.database, table, { signal: new AbortController().signal })).toBe('done');
});

test('a session that ends in the middle leaves no lock, and the next one finishes the work', async () => {
  const table = await tables.create('broken_off', 'collection(record(a: int, s: string))', INDEXES);
  const writer = await openWriter(table);
  const optimized = optimizeRows(tables.database, table).catch(String);
  const [session] = await eventually(async () => {
    const waiting = await onServer<{ readonly pid: number }>(`SELECT pid ${REBUILDS_WAITING}`);
    expect(waiting).toHaveLength(1);
    return waiting;
  });
  await onServer(`SELECT pg_terminate_backend(${session?.pid})`);
  expect(await optimized).toMatch('terminating connection');
  // The client hears of it before the server has given the session's locks back.
  await eventually(async () => expect(await onServer(`SELECT 1 AS one FROM pg_stat_activity WHERE pid = ${session?.pid}`)).toEqual([]));
  writer.end();
  await writer.written;
  expect(await optimizeRows(tables.database, table)).toBe('done');
  expect(await onServer(`SELECT 1 AS one FROM pg_index WHERE NOT indisvalid`)).toEqual([]);
});

test('a deadlock with a transaction that wants the whole table is a table in use', async () => {
  const table = await tables.create('deadlocked', 'collection(record(a: int))', INDEXES);
  const other = tables.database.transaction(async ({ client }) => {
    // So that the server ends the rebuild, and not this transaction.
    await client.query(`SET LOCAL deadlock_timeout = '1h'`);
    await client.query(`SELECT FROM user_rows.t${table.id}`);
    const optimized = optimizeRows(tables.database, table);
    await eventually(async () => expect(await onServer(`SELECT 1 AS one ${REBUILDS_WAITING}`)).toHaveLength(1));
    await client.query(`LOCK TABLE user_rows.t${table.id} IN ACCESS EXCLUSIVE MODE`);
    return optimized;
  });
  expect(await other).toBe('busy');
  expect(await optimizeRows(tables.database, table)).toBe('done');
});

test('a table that is gone by now is said to be', async () => {
  const table = { ...(await tables.create('gone', 'collection(int)')), id: 999_999 };
  expect(await optimizeRows(tables.database, table)).toBe('gone');
  expect(await vacuumRows(tables.database, table)).toBe('gone');
});

test('a unique index that rows violate while it is built refuses no row afterwards', async () => {
  const table = await tables.create('violated', 'collection(record(a: int, s: string))');
  const first = await openWriter(table);
  const added = addIndexes(tables.database, { table, wanted: [{ name: null, fields: ['a'], unique: true }] });
  await eventually(async () => expect(await onServer(`SELECT 1 AS one FROM pg_index WHERE NOT indisvalid`)).toHaveLength(1));
  // It is begun, and does not look for equal rows yet.
  const second = await openWriter(table);
  first.end();
  await first.written;
  await eventually(async () => expect(await onServer(`SELECT 1 AS one FROM pg_index WHERE indisready AND NOT indisvalid`)).toHaveLength(1));
  second.end();
  await second.written;
  expect(await added).toEqual({ kind: 'refused', problem: 'field a: another row has the same value, and there is a unique index' });
  expect(await tables.append(table, '{"a":1,"s":"once more"}')).toEqual({ kind: 'stored', rowCount: 1 });
  expect(await onServer(`SELECT 1 AS one FROM pg_index WHERE NOT indisvalid`)).toEqual([]);
});
