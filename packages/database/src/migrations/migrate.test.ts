import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';

import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import { CatalogStore } from '../stores/catalog-store.ts';
import { PackageStore } from '../stores/package-store.ts';
import { TableStore } from '../stores/table-store.ts';
import { ViewStore } from '../stores/view-store.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { ALL_MIGRATIONS } from './all-migrations.ts';
import { applyMigrations, migrate, type MigrationResult } from './migrate.ts';
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

/** Digest of the statements of each migration over those before it. Existing lines never change. */
const RELEASED = {
  namespaces: '5c94c2fda38aa3de',
  catalog: 'f406c86d82db3ae9',
  'user rows': '1fc519badc493fe1',
  gateway: '536f6222937924da',
  credentials: '889a13b5ff4aec54',
  'credential refresh': 'c8078f1cb1d96aca',
  streams: 'c0201f30c7624d3f',
  'count every call': '75c0bb95f9856892',
  'life of tables': '144574edc111c6c9',
  compatibility: 'c0fa877462240808',
} as const;

test('a migration that was released is never edited', async () => {
  expect(Object.fromEntries(await Promise.all(ALL_MIGRATIONS.map(async ({ name, up }) => [name, await digestOf(up)])))).toEqual(RELEASED);
});

async function digestOf(up: Migration['up']): Promise<string> {
  const hash = createHash('sha256');
  const recorder = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void hash.update(`${query.sql.replaceAll(/\s+/g, ' ').trim()}\n`),
  });
  await recorder.transaction().execute(up);
  return hash.digest('hex').slice(0, 16);
}

test('an empty database gets every migration, and a second run changes nothing', () =>
  withEmptyDatabase(async ({ url, db }) => {
    expect(await schemaStatus(db)).toEqual({ kind: 'behind', version: 0, expected: NEWEST });
    expect(await migrate(url)).toEqual({ from: 0, to: NEWEST });
    expect(await migrate(url)).toEqual({ from: NEWEST, to: NEWEST });
    expect(await schemaStatus(db)).toEqual({ kind: 'current', version: NEWEST });
  }));

test('several processes may migrate at once: one does the work', () =>
  withEmptyDatabase(async ({ url }) => {
    const results = await Promise.all([...Array.from({ length: 3 }, () => migrateInProcess(url)), migrate(url), migrate(url)]);
    expect(results.filter(({ from }) => from === 0)).toHaveLength(1);
    expect(results.filter(({ from }) => from === NEWEST)).toHaveLength(4);
  }));

/** Migrates in a separate process. */
async function migrateInProcess(url: string): Promise<MigrationResult> {
  const program = `import { migrate } from ${JSON.stringify(new URL('migrate.ts', import.meta.url).href)};
    process.stdout.write(JSON.stringify(await migrate(process.argv[1])));`;
  const child = spawn(process.execPath, ['--conditions=@svc/source', '--input-type=module', '-e', program, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The process ended with ${code}.`);
  return JSON.parse(output) as MigrationResult;
}

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

test('a database of an older version keeps what is in it', () =>
  withEmptyDatabase(async ({ url, db }) => {
    await applyMigrations(db, ALL_MIGRATIONS.slice(0, 1));
    await db.insertInto('namespaces').values({ namespace: 'old', version: 41 }).execute();
    expect(await migrate(url)).toEqual({ from: 1, to: NEWEST });
    const store = new ViewStore({ db });
    const view = { namespace: 'old', name: 'v', text: '1', type: 'int', uses: [] };
    expect(await store.insertIfAbsent(view)).toEqual({ kind: 'created' });
    expect(await new CatalogStore({ db }).version('old')).toBe(42);
    expect(await migrate(url)).toEqual({ from: NEWEST, to: NEWEST });
    expect((await store.get('old', 'v'))?.text).toBe('1');
  }));

test('names, views, packages and tables of the version before rows are found again, and still share their space of names', () =>
  withEmptyDatabase(async ({ url, db }) => {
    await applyMigrations(db, ALL_MIGRATIONS.slice(0, 2));
    for (const statement of [
      `INSERT INTO namespaces VALUES ('old', 3)`,
      `INSERT INTO named_objects VALUES ('old', 'v', 'V', 'view'), ('old', 't', 't', 'table')`,
      `INSERT INTO views (namespace, name_key, name, text, type, uses) VALUES ('old', 'v', 'V', 'SELECT 1 FROM t', 'collection(int)', '[{"kind":"table","name":"t"}]')`,
      `INSERT INTO tables (namespace, name_key, name, type, indexes) VALUES ('old', 't', 't', 'collection(record(a: int))', '[{"name":null,"fields":["a"],"unique":true}]')`,
      `INSERT INTO packages (namespace, name_key, name, text, type, uses) VALUES ('old', 'p', 'p', '1', 'int', '[]')`,
    ])
      await sql.raw(statement).execute(db);
    expect(await migrate(url)).toEqual({ from: 2, to: NEWEST });
    expect(await migrate(url)).toEqual({ from: NEWEST, to: NEWEST });
    const { version, entries } = await new CatalogStore({ db }).listAll('old');
    expect([version, entries.map(({ kind, name }) => `${kind} ${name}`)]).toEqual([3, ['view V', 'package p', 'table t']]);
    expect((await new ViewStore({ db }).get('old', 'V'))?.uses).toEqual([{ kind: 'table', name: 't' }]);
    expect((await new PackageStore({ db }).get('old', 'p'))?.text).toBe('1');
    const tables = new TableStore({ db });
    expect(await tables.get('old', 't')).toMatchObject({ indexes: [{ name: null, fields: ['a'], unique: true }], location: null });
    const again = { namespace: 'old', name: 'v', type: 'collection(int)', indexes: [], location: null };
    expect(await tables.insertIfAbsent(again, async () => undefined)).toEqual({ kind: 'exists' });
  }));
