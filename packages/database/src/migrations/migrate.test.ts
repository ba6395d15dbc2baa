import { sql } from 'kysely';

import { CatalogStore } from '../stores/catalog-store.ts';
import { ViewStore } from '../stores/view-store.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { ALL_MIGRATIONS } from './all-migrations.ts';
import { applyMigrations, migrate } from './migrate.ts';
import type { Migration } from './migration.ts';
import { schemaStatus } from './schema-status.ts';

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;

const NEWEST = ALL_MIGRATIONS.length;

async function withEmptyDatabase(use: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await openTestDatabase('empty');
  try {
    await use(database);
  } finally {
    await database.close();
  }
}

function aMigration(version: number, statement: string): Migration {
  return { version, name: `step ${version}`, up: async (transaction) => void (await sql.raw(statement).execute(transaction)) };
}

test('migrations are numbered 1, 2, 3 … in order', () => {
  expect(ALL_MIGRATIONS.map(({ version }) => version)).toEqual(ALL_MIGRATIONS.map((_, index) => index + 1));
});

test('an empty database gets every migration, and a second run changes nothing', () =>
  withEmptyDatabase(async ({ url, db }) => {
    expect(await schemaStatus(db)).toEqual({ kind: 'behind', version: 0, expected: NEWEST });
    expect(await migrate(url)).toEqual({ from: 0, to: NEWEST });
    expect(await migrate(url)).toEqual({ from: NEWEST, to: NEWEST });
    expect(await schemaStatus(db)).toEqual({ kind: 'current', version: NEWEST });
  }));

test('several processes may migrate at once: one does the work', () =>
  withEmptyDatabase(async ({ url }) => {
    const results = await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
    expect(results.filter(({ from }) => from === 0)).toHaveLength(1);
    expect(results.filter(({ from }) => from === NEWEST)).toHaveLength(4);
  }));

test('a failing step leaves the database as it was', () =>
  withEmptyDatabase(async ({ db }) => {
    const steps = [aMigration(1, 'CREATE TABLE first (n int)'), aMigration(2, 'CREATE TABLE first (n int)')];
    await expect(applyMigrations(db, steps)).rejects.toThrow('already exists');
    const { rows } = await sql`SELECT relname FROM pg_class WHERE relname IN ('first', 'schema_versions')`.execute(db);
    expect(rows).toEqual([]);
  }));

test('only the steps that are missing are taken', () =>
  withEmptyDatabase(async ({ db }) => {
    const first = aMigration(1, 'CREATE TABLE first (n int)');
    await applyMigrations(db, [first]);
    expect(await applyMigrations(db, [first, aMigration(2, 'ALTER TABLE first ADD m int')])).toEqual({ from: 1, to: 2 });
    const { rows } = await sql`SELECT version, name FROM schema_versions ORDER BY version`.execute(db);
    expect(rows).toEqual([
      { version: 1, name: 'step 1' },
      { version: 2, name: 'step 2' },
    ]);
  }));

test('a database of a newer version is refused in one line, and not touched', () =>
  withEmptyDatabase(async ({ url, db }) => {
    await migrate(url);
    await db
      .insertInto('schema_versions')
      .values({ version: NEWEST + 1, name: 'of tomorrow' })
      .execute();
    await expect(migrate(url)).rejects.toThrow(
      `The database has schema version ${NEWEST + 1}, and this program knows versions up to ${NEWEST}: start a newer program, or use another database.`,
    );
    expect(await schemaStatus(db)).toEqual({ kind: 'ahead', version: NEWEST + 1, expected: NEWEST });
  }));

test('a database of an older version keeps what is in it', () =>
  withEmptyDatabase(async ({ url, db }) => {
    await applyMigrations(db, ALL_MIGRATIONS.slice(0, 1));
    await db.insertInto('namespaces').values({ namespace: 'old', version: 41 }).execute();
    expect(await migrate(url)).toEqual({ from: 1, to: NEWEST });
    const store = new ViewStore({ db });
    const view = { namespace: 'old', name: 'v', text: '1', type: 'int', uses: [] };
    expect(await store.insertIfAbsent({ ...view, expectedVersion: 41 })).toEqual({ kind: 'created' });
    expect(await new CatalogStore({ db }).version('old')).toBe(42);
    expect(await migrate(url)).toEqual({ from: NEWEST, to: NEWEST });
    expect((await store.get('old', 'v'))?.text).toBe('1');
  }));
