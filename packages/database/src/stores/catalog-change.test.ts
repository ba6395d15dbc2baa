import { sql } from 'kysely';

import { openTestDatabase } from '../testing/open-test-database.ts';
import { changeCatalog } from './catalog-change.ts';
import { NamespaceStore } from './namespace-store.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a change that is in deadlock with another transaction is run again, and counts once', async () => {
  const namespaces = new NamespaceStore(database);
  const locks = Promise.withResolvers<void>();
  const attempts: number[] = [];
  await database.session(async (other) => {
    await other.query(`SET deadlock_timeout = '1h'`); // the other one looks for no deadlock: the change is the one that is ended
    await other.query('BEGIN');
    await other.query('SELECT pg_advisory_xact_lock(1)');
    const change = changeCatalog({ db: database.db, namespaces, namespace: 'ann' }, async (transaction) => {
      attempts.push(attempts.length);
      await sql`SELECT pg_advisory_xact_lock(2)`.execute(transaction);
      locks.resolve();
      await sql`SELECT pg_advisory_xact_lock(1)`.execute(transaction);
      return 'changed';
    });
    await locks.promise;
    await other.query('SELECT pg_advisory_xact_lock(2)');
    await other.query('COMMIT');
    expect(await change).toBe('changed');
  });
  expect(attempts).toEqual([0, 1]);
  expect(await namespaces.readVersion('ann')).toBe(1);
});
