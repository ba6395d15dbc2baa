import type { StoredTable } from '@svc/database';

import { keepLatest } from '../change/keep-latest.ts';
import { copyLine } from '../testing/copy-line.ts';
import { openTables, type TestTables } from '../testing/open-tables.ts';
import { aRandom, type Random } from '../testing/random.ts';
import { gatherRows } from './gather-rows.ts';
import type { GatheredRows, StoredRows } from './gathered-rows.ts';

const TOPIC = '0f4c3a12-9d5e-4b7a-8c21-1234567890ab';
const FIELDS = ['id', 'region', 'v'];
const TYPE = 'collection(record(id: int nullable, region: string, v: int))';

let tables: TestTables;

beforeAll(async () => {
  tables = await openTables();
});

afterAll(() => tables.close());

/** Creates a table that stores the latest row of each id and region. */
async function aTable(name: string): Promise<StoredTable> {
  const table = await tables.create(name, TYPE);
  const kept = await tables.database.transaction(async ({ transaction }) => {
    const made = await keepLatest(transaction, table, ['id', 'region']);
    if (made !== null) await tables.store.reshape(transaction, 'tests', made);
    return made;
  });
  if (kept === null) throw new Error('the table has rows');
  return kept;
}

/** A message with a row or without. Its index is its offset. */
interface TestMessage {
  readonly key: string | null;
  readonly row: { readonly id: number | null; readonly region: string; readonly v: number } | null;
}

/** A message with its offset in the topic. */
type Placed = TestMessage & { readonly offset: number };

function place(messages: readonly TestMessage[]): readonly Placed[] {
  return messages.map((message, offset) => ({ ...message, offset }));
}

function gather(table: StoredTable, messages: readonly Placed[], { isReplay = false, partition = 0 } = {}): GatheredRows {
  const rows = gatherRows(table, { fields: FIELDS, topicId: TOPIC, partition, isReplay });
  for (const { key, row, offset } of messages) {
    const at = { offset, key: key === null ? null : Buffer.from(key) };
    const problem = row === null ? rows.addNothing(at) : rows.add(copyLine(row.id, row.region, row.v), at);
    if (typeof problem === 'string') throw new Error(problem);
  }
  return rows;
}

async function store(table: StoredTable, messages: readonly Placed[], how = {}): Promise<StoredRows> {
  return tables.database.transaction((at) => gather(table, messages, how).store(at));
}

/** Returns the expected rows of the table after messages, applied one by one. */
function fold(messages: readonly TestMessage[]): readonly string[] {
  const rows = new Map<string, { readonly key: string | null; readonly text: string }>();
  for (const { key, row } of messages) {
    if (row !== null) rows.set(JSON.stringify([row.id, row.region]), { key, text: JSON.stringify(row) });
    else if (key !== null) for (const [id, found] of rows) if (found.key === key) rows.delete(id);
  }
  return [...rows.values()].map(({ text }) => text).toSorted();
}

async function empty(table: StoredTable): Promise<void> {
  await tables.database.session((client) => client.query(`TRUNCATE user_rows.t${table.id}`));
}

async function held(table: StoredTable): Promise<readonly string[]> {
  return (await tables.rows(table)).toSorted();
}

/** Generates messages of few keys; `rowOf` maps a message key to a row key. */
function randomMessages(random: Random, rowOf: (key: string) => number): readonly TestMessage[] {
  return Array.from({ length: random.below(60) }, (_, v) => {
    const key = `k${random.below(4)}`;
    if (random.below(4) === 0) return { key, row: null };
    const row = { id: rowOf(key), region: ['eu', 'us'][random.below(2)] ?? '', v };
    return { key: random.below(10) === 0 ? null : key, row };
  });
}

/** Messages in batches with borders anywhere. */
function cut<Item>(random: Random, items: readonly Item[]): readonly (readonly Item[])[] {
  const batches: (readonly Item[])[] = [];
  for (let at = 0; at < items.length;) {
    const size = 1 + random.below(12);
    batches.push(items.slice(at, at + size));
    at += size;
  }
  return batches;
}

test('wherever batches begin, the table holds what the messages leave one by one', async () => {
  const random = aRandom(20_261_122);
  const table = await aTable('fold');
  for (let round = 0; round < 20; round += 1) {
    await empty(table);
    // A row may be written by messages of several keys.
    const messages = place(randomMessages(random, () => random.below(3)));
    for (const batch of cut(random, messages)) await store(table, batch);
    expect(await held(table)).toEqual(fold(messages));
  }
});

test('messages that are replayed leave what they would have left in their turn', async () => {
  const random = aRandom(415);
  const table = await aTable('replay');
  for (let round = 0; round < 20; round += 1) {
    await empty(table);
    const messages = place(
      randomMessages(random, (key) => Number(key.slice(1))).map((one) => ({ ...one, key: one.key ?? `k${one.row?.id ?? 0}` })),
    );
    let late: readonly Placed[] = [];
    const forget = (rows: GatheredRows): void => {
      const isForgotten = ({ key, offset }: Placed): boolean =>
        rows.removals.some((removal) => Buffer.from(removal.key).toString() === key && offset < removal.offset);
      late = late.filter((message) => !isForgotten(message));
    };
    for (const batch of cut(random, messages)) {
      const isLate = batch.map(() => random.below(4) === 0);
      const rows = gather(
        table,
        batch.filter((_, i) => isLate[i] === false),
      );
      late = [...late, ...batch.filter((_, i) => isLate[i])];
      forget(rows);
      await tables.database.transaction((at) => rows.store(at));
    }
    for (const batch of cut(random, random.shuffled(late))) {
      const inOrder = batch.filter((message) => late.includes(message)).toSorted((a, b) => a.offset - b.offset);
      const rows = gather(table, inOrder, { isReplay: true });
      forget(rows);
      await tables.database.transaction((at) => rows.store(at));
    }
    expect(await held(table)).toEqual(fold(messages));
  }
});

test('a replay changes no row of another partition, and tells how many rows it has changed', async () => {
  const table = await aTable('partitions');
  const row = { id: 1, region: 'eu', v: 7 };
  await store(table, [{ key: 'a', row, offset: 3 }], { partition: 1 });
  const older = [
    { key: 'a', row: { ...row, v: 8 }, offset: 9 },
    { key: 'b', row: { ...row, id: 2 }, offset: 10 },
  ];
  expect(await store(table, older, { isReplay: true, partition: 0 })).toEqual({ rows: 1, refused: [] });
  expect(await held(table)).toEqual(['{"id":1,"region":"eu","v":7}', '{"id":2,"region":"eu","v":7}']);
});

test('a row without a key, and one whose key is too long for an index, cost no other row', async () => {
  const table = await aTable('refused');
  const rows = gatherRows(table, { fields: FIELDS, topicId: TOPIC, partition: 0, isReplay: false });
  const add = (cells: readonly (string | number | null)[], offset: number): string | null =>
    rows.add(copyLine(...cells), { offset, key: null });
  const long = Array.from({ length: 9000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('');
  expect([add([1, 'eu', 1], 0), add([null, 'eu', 1], 1), add([2, long, 1], 3), add([3, 'us', 1], 5)]).toEqual([
    null,
    'field id: missing or null, and it is a key field of the table',
    null,
    null,
  ]);
  const { refused, rows: stored } = await tables.database.transaction((at) => rows.store(at));
  expect({ refused, stored }).toEqual({
    refused: [{ row: 1, problem: 'it is too long for PostgreSQL, or one of its values for an index on it' }],
    stored: 2,
  });
  expect(await held(table)).toEqual(['{"id":1,"region":"eu","v":1}', '{"id":3,"region":"us","v":1}']);
});

test('a table with rows does not become one that keeps the latest', async () => {
  const table = await tables.create('appended', TYPE);
  await tables.append(table, '{"id":1,"region":"eu","v":1}\n');
  expect(await tables.database.transaction(({ transaction }) => keepLatest(transaction, table, ['id']))).toBeNull();
});
