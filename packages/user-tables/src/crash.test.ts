import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

import { openDatabase, type StoredTable } from '@svc/database';
import { eventually } from '@svc/test-kit';

import { optimizeRows } from './upkeep/upkeep.ts';
import { CHANGES, changeTable, STOPPED, stopBefore, type Change } from './testing/change-table.ts';
import { openTables, type TestTables } from './testing/open-tables.ts';
import { createRows, dropRows } from './table-rows.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables.close());

/** Changes a table through a connection that is cut before a statement, which looks to the server like a crashed process. */
async function changeCut(change: Change, table: Pick<StoredTable, 'id' | 'name'>, number: number): Promise<'cut' | 'whole'> {
  const database = openDatabase({ url: tables.url, applicationName: STOPPED, maxConnections: 1 });
  const undo = stopBefore(number, (client) => {
    (Reflect.get(client, 'connection') as unknown as { readonly stream: Socket }).stream.destroy();
  });
  try {
    await changeTable({ database, directory: tables.directory }, change, table);
    return 'whole';
  } catch (thrown) {
    if (!/terminated|not queryable|closed/i.test(String(thrown))) throw thrown;
    return 'cut';
  } finally {
    undo();
    await database.close();
  }
}

/** Changes a table in a process that is killed before a statement. */
async function changeKilled(change: Change, { id, name }: Pick<StoredTable, 'id' | 'name'>, number: number): Promise<string | null> {
  const program = fileURLToPath(new URL('testing/killed-change.ts', import.meta.url));
  const args = [tables.url, tables.directory, change, name, String(id), String(number)];
  const child = spawn(process.execPath, ['--conditions=@svc/source', program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal;
}

/** Names, tables and places of rows that lack one of the others; and the keys of uploads that were not finished. */
const halves = async (): Promise<unknown> =>
  tables.database.session(
    async (client) =>
      (
        await client.query<object>(`
          SELECT n.name, t.id, r.relname FROM (SELECT * FROM named_objects WHERE kind = 'table') n
            FULL JOIN tables t USING (namespace, name_key)
            FULL JOIN (SELECT relname FROM pg_class WHERE relnamespace = 'user_rows'::regnamespace AND relkind = 'r') r ON r.relname = 't' || t.id
          WHERE n.name IS NULL OR t.id IS NULL OR r.relname IS NULL
          UNION ALL SELECT key, table_id, NULL FROM append_keys WHERE digest IS NULL`)
      ).rows,
  );

/** Waits until the server has detected the end of the process. */
const untilAlone = (): Promise<void> =>
  eventually(async () => {
    const sessions = tables.database.session(
      async (client) => (await client.query<object>(`SELECT query FROM pg_stat_activity WHERE application_name = '${STOPPED}'`)).rows,
    );
    expect(await sessions).toEqual([]);
  });

const none = { id: 0, name: '' };

async function prepare(change: Change, name: string): Promise<Pick<StoredTable, 'id' | 'name'>> {
  if (change === 'create') return { ...none, name };
  const table = await tables.create(name, 'collection(record(a: int))');
  if (change === 'delete') await tables.append(table, '{"a":1}\n');
  return table;
}

/** The state of a table before each change, and the result of the change. */
const UNDONE = {
  create: async (name) => [await tables.store.get('tests', name), (await tables.create(name, 'collection(int)')).name === name],
  append: async (name) => [
    await tables.rows(await tables.get(name)),
    await tables.append(await tables.get(name), '{"a":1}\n{"a":2}\n', { idempotencyKey: 'key' }),
  ],
  delete: async (name) => [await tables.rows(await tables.get(name)), await tables.store.delete('tests', name, dropRows)],
} as const satisfies Record<Change, (name: string) => Promise<readonly [before: unknown, answer: unknown]>>;

const EXPECTED = {
  create: [undefined, true],
  append: [[], { kind: 'stored', rowCount: 2 }],
  delete: [['{"a":1}'], { kind: 'deleted' }],
} as const satisfies Record<Change, readonly [before: unknown, answer: unknown]>;

const ALL_CHANGES = Object.keys(CHANGES) as readonly Change[];

test.each(ALL_CHANGES)(
  '%s that breaks off before any of its statements leaves nothing half made, and nothing in the way',
  async (change) => {
    const ends: string[] = [];
    for (let number = 0; number <= CHANGES[change].length; number += 1)
      ends.push(await changeCut(change, await prepare(change, `${change}_${number}`), number));
    expect(ends).toEqual([...CHANGES[change].map(() => 'cut'), 'whole']);
    await untilAlone();
    expect(await halves()).toEqual([]);
    for (const number of CHANGES[change].keys()) expect(await UNDONE[change](`${change}_${number}`)).toEqual(EXPECTED[change]);
    expect(await halves()).toEqual([]);
  },
);

test('nor does a process that is killed when all is done and nothing committed', async () => {
  const killed = async (change: Change): Promise<void> => {
    const table = await prepare(change, `killed_${change}`);
    expect(await changeKilled(change, table, CHANGES[change].indexOf('commit'))).toBe('SIGKILL');
  };
  await Promise.all(ALL_CHANGES.map(killed));
  await untilAlone();
  expect(await halves()).toEqual([]);
  for (const change of ALL_CHANGES) expect(await UNDONE[change](`killed_${change}`)).toEqual(EXPECTED[change]);
});

test('creating and dropping in a tight loop, beside uploads and upkeep, leaves no orphan', async () => {
  const table = { namespace: 'tests', name: 'Loop', type: 'collection(int)', indexes: [], location: null };
  const kinds = new Set<string>();
  const round = async (i: number): Promise<void> => {
    if (i % 2 === 0) await tables.store.insertIfAbsent(table, createRows);
    else await tables.store.delete('tests', 'Loop', dropRows);
    const found = await tables.store.get('tests', 'Loop');
    if (found === undefined) return;
    kinds.add((await tables.append(found, '1\n2\n', { idempotencyKey: `key ${i}` })).kind);
    kinds.add(await optimizeRows(tables.database, found));
  };
  for (let i = 0; i < 40; i += 4) await Promise.all([0, 1, 2, 3].map((k) => round(i + k)));
  expect([...kinds].filter((kind) => !['stored', 'gone', 'done', 'busy'].includes(kind))).toEqual([]);
  expect(await halves()).toEqual([]);
});
