import { openTestDatabase } from '../testing/open-test-database.ts';
import { NamespaceStore } from './namespace-store.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let store: NamespaceStore;

beforeAll(async () => {
  database = await openTestDatabase();
  store = new NamespaceStore(database);
});
afterAll(() => database.close());

const raise = (namespace: string): Promise<number> =>
  database.db.transaction().execute((transaction) => store.raiseVersion(transaction, namespace));

test('a namespace begins at version 0 and goes up by one', async () => {
  expect(await store.readVersion('new')).toBe(0);
  expect([await raise('new'), await raise('new')]).toEqual([1, 2]);
  expect(await store.readVersion('new')).toBe(2);
});

test('namespaces count for themselves, and by case', async () => {
  await raise('mine');
  expect([await store.readVersion('Mine'), await store.readVersion('mine')]).toEqual([0, 1]);
});

test('changes at the same instant get different versions', async () => {
  const versions = await Promise.all(Array.from({ length: 10 }, () => raise('busy')));
  expect(versions.toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('a change that is undone does not count', async () => {
  const undone = database.db.transaction().execute(async (transaction) => {
    await store.raiseVersion(transaction, 'undone');
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  expect(await store.readVersion('undone')).toBe(0);
});
