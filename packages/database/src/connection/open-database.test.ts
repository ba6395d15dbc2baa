import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { sql } from 'kysely';

import { eventually } from '@svc/test-kit';

import { openTestDatabase } from '../testing/open-test-database.ts';
import { LostConnectionError } from './lost-connection-error.ts';
import { NoConnectionError } from './no-connection-error.ts';
import { openDatabase } from './open-database.ts';
import { isUniqueViolation } from './unique-violation.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a bigint comes as a number, and one beyond 2^53 is an error', async () => {
  const { rows } = await sql<{ n: number }>`SELECT 9007199254740991::bigint AS n`.execute(database.db);
  expect(rows).toEqual([{ n: 9007199254740991 }]);
  await expect(sql`SELECT 9007199254740993::bigint AS n`.execute(database.db)).rejects.toThrow('too large: 9007199254740993');
});

test('a statement that runs past its limit is ended by the server', async () => {
  const impatient = openDatabase({ url: database.url, applicationName: 'test', statementTimeoutMs: 50 });
  await expect(sql`SELECT pg_sleep(60)`.execute(impatient.db)).rejects.toThrow('statement timeout');
  await impatient.close();
});

test('a statement that the server neither answers nor ends costs its connection after the limit, and no other', async () => {
  const waiting = openDatabase({ url: database.url, applicationName: 'waiting', longStatementTimeoutMs: 50 });
  const sleep = waiting.session((client) => client.query('SELECT pg_sleep(60)'));
  await expect(sleep).rejects.toThrow(LostConnectionError);
  await expect(sleep).rejects.toThrow('no answer to a statement in 50 ms');
  await expect(waiting.transaction(({ transaction }) => sql`SELECT pg_sleep(60)`.execute(transaction))).rejects.toThrow(
    LostConnectionError,
  );
  const patient = waiting.session((client) => client.query('SELECT pg_sleep(0.2)'), 60_000);
  expect((await patient).rows).toHaveLength(1);
  expect((await sql<{ one: number }>`SELECT pg_sleep(0.1), 1 AS one`.execute(waiting.db)).rows).toMatchObject([{ one: 1 }]);
  await waiting.close();
});

test('a caller waits for a connection no longer than the limit', async () => {
  const small = openDatabase({ url: database.url, applicationName: 'test', maxConnections: 1, connectTimeoutMs: 2000 });
  await small.db.connection().execute(async () => {
    const second = sql`SELECT 1`.execute(small.db);
    expect(small.poolState()).toEqual({ total: 1, idle: 0, waiting: 1 });
    await Promise.all([second, small.session(async () => 1)].map((each) => expect(each).rejects.toThrow(NoConnectionError)));
  });
  await small.close();
});

test('a server that takes connections and says nothing costs no more than the limit', async () => {
  const silent = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  // A server that listens on a port has this kind of address.
  const { port } = silent.address() as AddressInfo;
  const lost = openDatabase({ url: `postgresql://nobody@127.0.0.1:${port}/none`, applicationName: 'test', connectTimeoutMs: 100 });
  await expect(sql`SELECT 1`.execute(lost.db)).rejects.toThrow(NoConnectionError);
  await lost.close();
  silent.close();
});

test('an idle connection that the server ends is reported and replaced', async () => {
  const errors: Error[] = [];
  const watched = openDatabase({ url: database.url, applicationName: 'watched', onConnectionLost: (error) => errors.push(error) });
  await sql`SELECT 1`.execute(watched.db);
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'watched'`.execute(database.db);
  await eventually(() => expect(errors).toHaveLength(1));
  expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(watched.db)).rows).toEqual([{ one: 1 }]);
  await watched.close();
});

test('a connection that the server ends while it is used fails its statement, and nothing else', async () => {
  const used = openDatabase({ url: database.url, applicationName: 'used' });
  const end = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'used'`;
  const failed = used.db.transaction().execute(async (transaction) => {
    await sql`SELECT 1`.execute(transaction);
    await end.execute(database.db);
    await sql`SELECT 1`.execute(transaction);
  });
  await expect(failed).rejects.toThrow(LostConnectionError);
  const running = sql`SELECT pg_sleep(60)`.execute(used.db).catch((error: unknown) => error);
  const endRunning = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'used' AND query LIKE '%pg_sleep%'`;
  await eventually(async () => expect((await endRunning.execute(database.db)).rows).toHaveLength(1));
  expect(await running).toBeInstanceOf(LostConnectionError);
  expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(used.db)).rows).toEqual([{ one: 1 }]);
  await used.close();
});

test('closing ends every connection, of sessions and transactions too', async () => {
  const closed = openDatabase({ url: database.url, applicationName: 'closed' });
  await closed.session((client) => client.query('SELECT 1'));
  await closed.close();
  const sessions = sql<{ n: number }>`SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'closed'`;
  await eventually(async () => expect((await sessions.execute(database.db)).rows).toEqual([{ n: 0 }]));
});

test('only a row that exists already is a unique violation, and only of the constraint that was meant', async () => {
  const insert = database.db.insertInto('namespaces').values({ namespace: 'twice', version: 1 });
  await insert.execute();
  const violation: unknown = await insert.execute().catch((error: unknown) => error);
  expect(isUniqueViolation(violation)).toBe(true);
  expect(isUniqueViolation(violation, 'namespaces_pkey')).toBe(true);
  expect(isUniqueViolation(violation, 'another')).toBe(false);
  const check: unknown = await database.db
    .insertInto('namespaces')
    .values({ namespace: 'zero', version: 0 })
    .execute()
    .catch((error: unknown) => error);
  expect(check).toBeInstanceOf(Error);
  expect(isUniqueViolation(check)).toBe(false);
});
