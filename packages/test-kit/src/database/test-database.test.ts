import { adminQuery } from './admin-query.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const opened: TestDatabase[] = [];
let migrations = 0;

async function aDatabase(template: string): Promise<TestDatabase> {
  const migrate = async (url: string): Promise<void> => {
    migrations += 1;
    await adminQuery(url, 'CREATE TABLE things (name text)');
  };
  const database = await createTestDatabase({ migrate, template });
  opened.push(database);
  return database;
}

afterAll(async () => {
  for (const database of opened) await database.drop();
});

test('databases of one template share a schema and no rows', async () => {
  const first = await aDatabase('shared');
  const second = await aDatabase('shared');
  await adminQuery(first.url, `INSERT INTO things VALUES ('one')`);
  expect(await adminQuery(first.url, 'SELECT name FROM things')).toEqual([{ name: 'one' }]);
  expect(await adminQuery(second.url, 'SELECT name FROM things')).toEqual([]);
});

test('a template is migrated once, however many databases follow', async () => {
  await aDatabase('once');
  const before = migrations;
  await aDatabase('once');
  expect(migrations).toBe(before);
});

test('suites that ask for a new template at the same instant all get a database', async () => {
  const databases = await Promise.all([aDatabase('raced'), aDatabase('raced'), aDatabase('raced')]);
  for (const { url } of databases) expect(await adminQuery(url, 'SELECT name FROM things')).toEqual([]);
});

test('a dropped database is gone, also where a session is open on it', async () => {
  const database = await createTestDatabase();
  await database.drop();
  await expect(adminQuery(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
});
