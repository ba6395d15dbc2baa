import { sql } from 'kysely';

import { eventually } from '@svc/test-kit';

import { parseLikePattern } from '../connection/like-pattern.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { CatalogStore } from './catalog-store.ts';
import { PackageStore } from './package-store.ts';
import { TableStore, type NewTable } from './table-store.ts';
import { ViewStore, type NewText } from './view-store.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let views: ViewStore;
let packages: PackageStore;
let tables: TableStore;
let catalog: CatalogStore;

beforeAll(async () => {
  database = await openTestDatabase();
  views = new ViewStore(database);
  packages = new PackageStore(database);
  tables = new TableStore(database);
  catalog = new CatalogStore(database);
});
afterAll(() => database.close());

const aText = (namespace: string, name: string, more: Partial<NewText> = {}): NewText => ({
  namespace,
  name,
  text: `query of ${name}`,
  type: 'collection(int)',
  uses: [],
  ...more,
});
const aTable = (namespace: string, name: string): NewTable => ({
  namespace,
  name,
  type: 'collection(record(a: int))',
  indexes: [{ name: null, fields: ['a'], unique: false }],
  location: null,
});
const nothing = async (): Promise<void> => {};
const count = (kinds: readonly { readonly kind: string }[], kind: string): number => kinds.filter((each) => each.kind === kind).length;
const times = <Result>(n: number, one: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => one(index)));

describe.each([
  ['views', () => views],
  ['packages', () => packages],
] as const)('%s', (kind, store) => {
  const namespace = `texts of ${kind}`;

  test('what was stored comes back, with the time of its making', async () => {
    const uses = [{ kind: 'table', name: 'T' }] as const;
    expect(await store().insertIfAbsent(aText(namespace, 'Kept', { uses }))).toEqual({ kind: 'created' });
    const { namespace: _, ...rest } = aText(namespace, 'Kept', { uses });
    expect(await store().get(namespace, 'Kept')).toEqual({ ...rest, createdAt: expect.any(Date), updatedAt: null });
  });

  test('a name is unique without regard to case and found only as it was written', async () => {
    await store().insertIfAbsent(aText(namespace, 'Foo'));
    expect(await store().insertIfAbsent(aText(namespace, 'foo'))).toEqual({ kind: 'exists' });
    expect(await store().replace(aText(namespace, 'foo'))).toEqual({ kind: 'exists' });
    expect(await store().get(namespace, 'foo')).toBeUndefined();
    expect(await store().delete(namespace, 'foo')).toEqual({ kind: 'absent' });
    expect((await store().get(namespace, 'Foo'))?.text).toBe('query of Foo');
  });

  test('of 20 puts at once exactly one wins', async () => {
    const results = await times(20, (index) => store().insertIfAbsent(aText(namespace, 'race', { text: `${index}` })));
    expect([count(results, 'created'), count(results, 'exists')]).toEqual([1, 19]);
    const winner = results.findIndex(({ kind: result }) => result === 'created');
    expect((await store().get(namespace, 'race'))?.text).toBe(`${winner}`);
  });

  test('of 20 replacements at once one creates and each of the others replaces', async () => {
    for (const name of Array.from({ length: 25 }, (_, round) => `replaced_${round}`)) {
      const results = await times(20, (index) => store().replace(aText(namespace, name, { text: `${index}` })));
      expect([count(results, 'created'), count(results, 'replaced')]).toEqual([1, 19]);
      const { createdAt, updatedAt } = (await store().get(namespace, name)) ?? {};
      expect(updatedAt?.getTime()).toBeGreaterThanOrEqual(createdAt?.getTime() ?? Infinity);
    }
  });

  test('a replacement that waited for another change is the later one', async () => {
    await store().replace(aText(namespace, 'waited_for'));
    const waiting = sql`FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    const { replaced, before } = await database.db.transaction().execute(async (other) => {
      await sql`UPDATE ${sql.table(kind)} SET text = 'of another' WHERE namespace = ${namespace} AND name = 'waited_for'`.execute(other);
      const replacing = store().replace(aText(namespace, 'waited_for'));
      await eventually(async () => expect((await sql`SELECT 1 AS one ${waiting}`.execute(database.db)).rows).toHaveLength(1));
      const { rows } = await sql<{ at: Date }>`SELECT clock_timestamp()::timestamptz(3) AS at`.execute(other);
      return { replaced: replacing, before: rows[0]?.at.getTime() ?? Infinity };
    });
    expect(await replaced).toEqual({ kind: 'replaced' });
    expect((await store().get(namespace, 'waited_for'))?.updatedAt?.getTime()).toBeGreaterThanOrEqual(before);
  });

  test('replacements and deletions at once come one after the other', async () => {
    const results = await times<{ readonly kind: string }>(100, (index) =>
      index % 2 === 0 ? store().replace(aText(namespace, 'come_and_gone')) : store().delete(namespace, 'come_and_gone'),
    );
    const left = (await store().get(namespace, 'come_and_gone')) === undefined ? 0 : 1;
    expect(count(results, 'created') + count(results, 'replaced')).toBe(50);
    expect(count(results, 'created') - count(results, 'deleted')).toBe(left);
  });

  test('a deleted one can be created again, and is new', async () => {
    await store().replace(aText(namespace, 'again'));
    await store().replace(aText(namespace, 'again'));
    expect(await store().delete(namespace, 'again')).toEqual({ kind: 'deleted' });
    expect(await store().delete(namespace, 'again')).toEqual({ kind: 'absent' });
    expect(await store().insertIfAbsent(aText(namespace, 'again'))).toEqual({ kind: 'created' });
    expect((await store().get(namespace, 'again'))?.updatedAt).toBeNull();
  });

  test('a list is in code-point order, and a pattern minds case', async () => {
    const mine = `${namespace}, listed`;
    for (const name of ['b_1', 'B2', 'a', '_x', 'bX1']) await store().insertIfAbsent(aText(mine, name));
    const names = async (pattern?: string): Promise<string[]> =>
      (await store().list(mine, pattern === undefined ? undefined : parseLikePattern(pattern))).map(({ name }) => name);
    expect(await names()).toEqual(['B2', '_x', 'a', 'bX1', 'b_1']);
    expect(await names('b%')).toEqual(['bX1', 'b_1']);
    expect(await names('b\\_%')).toEqual(['b_1']);
    expect(await names('__')).toEqual(['B2', '_x']);
    expect(await names('')).toEqual([]);
  });

  test('what another namespace stored does not exist', async () => {
    const [mine, theirs] = [`${namespace}, mine`, `${namespace}, theirs`];
    const foreign = { uses: [{ kind: 'table', name: 'T' }] } as const;
    await store().insertIfAbsent(aText(theirs, 'Foreign', foreign));
    expect(await store().get(mine, 'Foreign')).toBeUndefined();
    expect(await store().delete(mine, 'Foreign')).toEqual({ kind: 'absent' });
    expect(await store().list(mine)).toEqual([]);
    expect(await store().insertIfAbsent(aText(mine, 'Foreign', foreign))).toEqual({ kind: 'created' });
    expect(await catalog.findUsers(mine, { kind: 'table', name: 'T' })).toHaveLength(1);
  });

  test('a text that would use itself, through texts of every kind, is not stored', async () => {
    const mine = `${namespace}, cycles`;
    const own = kind === 'views' ? 'view' : 'package';
    const other = own === 'view' ? packages : views;
    const usesFirst = { uses: [{ kind: own, name: 'FIRST' }] } as const;
    const usesSecond = {
      uses: [
        { kind: 'table', name: 't' },
        { kind: own === 'view' ? 'package' : 'view', name: 'second' },
      ],
    } as const;
    expect(await store().insertIfAbsent(aText(mine, 'first'))).toEqual({ kind: 'created' });
    expect(await other.insertIfAbsent(aText(mine, 'second', usesFirst))).toEqual({ kind: 'created' });
    const version = await catalog.version(mine);
    expect(await store().replace(aText(mine, 'first', usesSecond))).toEqual({ kind: 'cyclic' });
    expect(await store().insertIfAbsent(aText(mine, 'alone', { uses: [{ kind: own, name: 'Alone' }] }))).toEqual({ kind: 'cyclic' });
    expect((await store().get(mine, 'first'))?.uses).toEqual([]);
    expect(await store().get(mine, 'alone')).toBeUndefined();
    expect(await catalog.version(mine)).toBe(version);
    expect(await store().insertIfAbsent(aText(mine, 'third', usesSecond))).toEqual({ kind: 'created' });
  });

  test('of two texts that use each other, stored at the same instant, one is', async () => {
    const results = await times(10, async (round) => {
      const mine = `${namespace}, cycle ${round}`;
      const own = kind === 'views' ? 'view' : 'package';
      const put = (name: string, used: string) => store().insertIfAbsent(aText(mine, name, { uses: [{ kind: own, name: used }] }));
      return Promise.all([put('a', 'b'), put('b', 'a')]);
    });
    for (const pair of results) expect(pair.map((result) => result.kind).toSorted()).toEqual(['created', 'cyclic']);
  });
});

test('a view and a table of one name at the same instant: one of them is', async () => {
  const namespace = 'one space';
  const results = await times(20, (index) =>
    index % 2 === 0 ? views.insertIfAbsent(aText(namespace, 'Both')) : tables.insertIfAbsent(aTable(namespace, 'both'), nothing),
  );
  expect(count(results, 'created')).toBe(1);
  const { entries } = await catalog.findNames(namespace, ['BOTH']);
  expect(entries).toHaveLength(1);
  expect(await packages.insertIfAbsent(aText(namespace, 'both'))).toEqual({ kind: 'created' });
});

test('a view does not replace a table, nor does either delete the other', async () => {
  const namespace = 'kinds';
  await tables.insertIfAbsent(aTable(namespace, 't'), nothing);
  await views.insertIfAbsent(aText(namespace, 'v'));
  expect(await views.replace(aText(namespace, 't'))).toEqual({ kind: 'exists' });
  expect(await views.delete(namespace, 't')).toEqual({ kind: 'absent' });
  expect(await tables.delete(namespace, 'v', nothing)).toEqual({ kind: 'absent' });
});

test('a table and what is made with it come together or not at all', async () => {
  const namespace = 'together';
  const fail = async (): Promise<void> => {
    throw new Error('no room');
  };
  await expect(tables.insertIfAbsent(aTable(namespace, 't'), fail)).rejects.toThrow('no room');
  expect(await tables.get(namespace, 't')).toBeUndefined();
  expect(await tables.insertIfAbsent(aTable(namespace, 't'), nothing)).toEqual({ kind: 'created' });
  await expect(tables.delete(namespace, 't', fail)).rejects.toThrow('no room');
  expect(await tables.get(namespace, 't')).toMatchObject({ name: 't', id: expect.any(Number) });
  const seen: number[] = [];
  expect(await tables.delete(namespace, 't', async (_, { id }) => void seen.push(id))).toEqual({ kind: 'deleted' });
  expect(seen).toHaveLength(1);
  expect(await catalog.version(namespace)).toBe(2);
});

test('the catalogue answers names of any spelling and kind, with the version they belong to', async () => {
  const namespace = 'catalog';
  await views.insertIfAbsent(aText(namespace, 'Seen', { uses: [{ kind: 'table', name: 'rows' }] }));
  await tables.insertIfAbsent(aTable(namespace, 'rows'), nothing);
  await packages.insertIfAbsent(aText(namespace, 'seen', { uses: [{ kind: 'view', name: 'Seen' }] }));
  const { version, entries } = await catalog.findNames(namespace, ['SEEN', 'Rows', 'none']);
  expect(version).toBe(3);
  expect(entries.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['view Seen', 'table rows', 'package seen']);
  expect(entries[1]).toMatchObject({ id: expect.any(Number), indexes: [{ fields: ['a'], unique: false }], location: null });
  expect(await catalog.findNames('nobody', ['seen'])).toEqual({ version: 0, entries: [] });
  expect((await catalog.listAll(namespace)).entries).toEqual(entries);
  expect(await catalog.findUsers(namespace, { kind: 'table', name: 'ROWS' })).toEqual([{ kind: 'view', name: 'Seen' }]);
});

test('creations and deletions of one name at once leave the name and the object, or neither', async () => {
  const namespace = 'loop';
  await times(40, async (index) => {
    if (index % 2 === 0) await tables.insertIfAbsent(aTable(namespace, 't'), nothing);
    else await tables.delete(namespace, 't', nothing);
  });
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM named_objects FULL JOIN tables USING (namespace, name_key)
    WHERE namespace = ${namespace} AND (named_objects.kind IS NULL OR tables.kind IS NULL)
  `.execute(database.db);
  expect(rows).toEqual([{ n: 0 }]);
});
