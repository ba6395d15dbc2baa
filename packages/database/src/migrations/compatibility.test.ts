import { setTimeout as sleep } from 'node:timers/promises';

import { sql, type Kysely } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import { ViewStore } from '../stores/view-store.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { ALL_MIGRATIONS } from './all-migrations.ts';
import { applyMigrations, migrate, migrateDown, revertMigrations } from './migrate.ts';
import type { Migration } from './migration.ts';
import { schemaStatus } from './schema-status.ts';

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;

const NEWEST = ALL_MIGRATIONS.length;

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase();
});

afterEach(() => database.close());

const run = (statement: string) => async (db: Kysely<Schema>) => void (await sql.raw(statement).execute(db));

/** A migration of a future version. */
const ADDS: Migration = {
  version: NEWEST + 1,
  name: 'notes',
  up: run(`ALTER TABLE views ADD COLUMN note text NOT NULL DEFAULT ''`),
  down: run('ALTER TABLE views DROP COLUMN note'),
};
const REMOVES: Migration = {
  version: NEWEST + 2,
  name: 'no notes',
  breaksOlder: true,
  up: run('ALTER TABLE views DROP COLUMN note'),
  down: run(`ALTER TABLE views ADD COLUMN note text NOT NULL DEFAULT ''`),
};
const CANNOT_GO_BACK: Migration = { version: NEWEST + 2, name: 'one way', up: run('SELECT 1') };

/** Describes every column, constraint, index and function of the metadata. */
async function describeSchema(db: Kysely<Schema>): Promise<readonly unknown[]> {
  const { rows } = await sql`
    SELECT format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY line
  `.execute(db);
  return rows;
}

test('a newer schema that does not break a program is one that it works with, and migrates nothing of', async () => {
  const { url, db } = database;
  expect(await applyMigrations(db, [...ALL_MIGRATIONS, ADDS])).toEqual({ from: NEWEST, to: NEWEST + 1 });
  expect(await schemaStatus(db)).toEqual({ kind: 'newer', version: NEWEST + 1, expected: NEWEST });
  expect(await migrate(url)).toEqual({ from: NEWEST + 1, to: NEWEST + 1 });
  const view = { namespace: 'n', name: 'v', text: '1', type: 'int', uses: [] };
  expect(await new ViewStore({ db }).insertIfAbsent(view)).toEqual({ kind: 'created' });
});

test('a schema that breaks a program is refused in one line and not touched, also where others followed', async () => {
  const { url, db } = database;
  const last = { ...CANNOT_GO_BACK, version: NEWEST + 3 };
  await applyMigrations(db, [...ALL_MIGRATIONS, ADDS, REMOVES, last]);
  expect(await schemaStatus(db)).toEqual({ kind: 'ahead', version: NEWEST + 3, expected: NEWEST });
  expect(await schemaStatus(db, [...ALL_MIGRATIONS, ADDS, REMOVES])).toMatchObject({ kind: 'newer' });
  await expect(migrate(url)).rejects.toThrow(
    `The database has schema version ${NEWEST + 3}, which this program, written for version ${NEWEST}, cannot work with: ` +
      `start a newer program, use another database, or have the newer program's migrations go "down ${NEWEST}".`,
  );
});

test('a migration that is taken back leaves the schema of before, and the rows', async () => {
  const { db, url } = database;
  await new ViewStore({ db }).insertIfAbsent({ namespace: 'n', name: 'v', text: '1', type: 'int', uses: [] });
  const newer = [...ALL_MIGRATIONS, ADDS, REMOVES];
  const before = await describeSchema(db);
  await applyMigrations(db, newer);
  expect(await revertMigrations(db, newer)).toEqual({ from: NEWEST + 2, to: NEWEST + 1 });
  expect(await schemaStatus(db)).toMatchObject({ kind: 'newer', version: NEWEST + 1 });
  await applyMigrations(db, newer);
  expect(await revertMigrations(db, newer, NEWEST)).toEqual({ from: NEWEST + 2, to: NEWEST });
  expect(await describeSchema(db)).toEqual(before);
  expect((await new ViewStore({ db }).get('n', 'v'))?.text).toBe('1');
  expect(await migrateDown(url, NEWEST)).toEqual({ from: NEWEST, to: NEWEST });
});

test('each migration of ours that can be taken back leaves the schema of the version before', async () => {
  const { db } = database;
  const reversible = ALL_MIGRATIONS.filter(({ down }) => down !== undefined);
  expect(reversible.map(({ version }) => version)).toContain(NEWEST);
  for (const { version } of reversible.toReversed()) {
    const target = await openTestDatabase('empty');
    await applyMigrations(target.db, ALL_MIGRATIONS.slice(0, version - 1));
    await revertMigrations(db, ALL_MIGRATIONS, version - 1);
    expect(await describeSchema(db)).toEqual(await describeSchema(target.db));
    await target.close();
  }
  expect(await applyMigrations(db, ALL_MIGRATIONS)).toMatchObject({ to: NEWEST });
});

test('a way back that there is not is refused, and nothing is changed', async () => {
  const { db } = database;
  const newer = [...ALL_MIGRATIONS, ADDS, CANNOT_GO_BACK];
  await applyMigrations(db, newer);
  await expect(revertMigrations(db, newer, NEWEST)).rejects.toThrow(
    `Schema version ${NEWEST + 2} (one way) cannot be taken back: restore a backup.`,
  );
  await expect(revertMigrations(db, ALL_MIGRATIONS)).rejects.toThrow(
    `The database has schema version ${NEWEST + 2}, and this program knows versions up to ${NEWEST}: ` +
      'only the program that brought the database to a version can take it back.',
  );
  await expect(revertMigrations(db, newer, NEWEST + 3)).rejects.toThrow(`which is older than ${NEWEST + 3}`);
  expect(await schemaStatus(db)).toMatchObject({ version: NEWEST + 2 });
});

test('a migration that meets a held table lets others go on with it, and is applied when it is free', async () => {
  const { db } = database;
  const held = Promise.withResolvers<undefined>();
  const taken = Promise.withResolvers<undefined>();
  const holder = db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('views').selectAll().execute();
    taken.resolve(undefined);
    await held.promise;
  });
  await taken.promise;
  const migration = applyMigrations(db, [...ALL_MIGRATIONS, ADDS]);
  let slowest = 0;
  try {
    for (const end = performance.now() + 2_500; performance.now() < end; await sleep(20)) {
      const start = performance.now();
      await sql`SELECT count(*) FROM views`.execute(db);
      slowest = Math.max(slowest, performance.now() - start);
    }
  } finally {
    held.resolve(undefined);
    await holder;
  }
  expect(await migration).toEqual({ from: NEWEST, to: NEWEST + 1 });
  // It waited for the table at least once, each time briefly.
  expect(slowest).toBeGreaterThan(200);
  expect(slowest).toBeLessThan(5_000);
});
