import { sql } from 'kysely';

import { openTestDatabase } from '../testing/open-test-database.ts';
import { SEALED_TABLES, SealedRecordStore } from './sealed-record-store.ts';

test('every column of sealed secrets is on the list, and can be walked', async () => {
  const database = await openTestDatabase();
  const { rows } = await sql<{ readonly place: string }>`
    SELECT table_name || '.' || column_name AS place FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name LIKE 'sealed%'`.execute(database.db);
  expect(rows.map(({ place }) => place).toSorted()).toEqual(SEALED_TABLES.map(({ table, sealed }) => `${table}.${sealed}`).toSorted());
  const store = new SealedRecordStore(database);
  for (const table of SEALED_TABLES) {
    const of = { table, prefix: Buffer.from([1]) };
    expect([await store.count(of), await store.list(of, { after: null, limit: 10 })]).toEqual([0, []]);
  }
  await database.close();
});
