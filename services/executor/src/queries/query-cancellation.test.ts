import { Client } from 'pg';

import { migrate, openDatabase, openNotices, sessionsNamed, type Database } from '@svc/database';
import { RunningQueries } from '@svc/query-runtime';
import { createLogger } from '@svc/service-kit';
import { createTestDatabase, eventually, type TestDatabase } from '@svc/test-kit';

import { openQueryCancellation, type QueryCancellation } from './query-cancellation.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const SESSION_NAME = 'svc-executor (cancellation)';
/** Longer than the timeout of a test: waiting for it fails. */
const ENDLESS = 3_600_000;

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createTestDatabase({ migrate });
  database = openDatabase({ url: own.url, applicationName: 'test' });
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

interface Process {
  readonly running: RunningQueries;
  readonly cancellation: QueryCancellation;
}

/** Opens the given number of processes, all listening. */
async function openProcesses(count: number, answerMillis = ENDLESS): Promise<readonly Process[]> {
  const logger = createLogger({ service: 'test', level: 'fatal', destination: { write: () => undefined } });
  const processes: Process[] = [];
  for (let i = 0; i < count; i += 1) {
    const running = new RunningQueries();
    const cancellation = openQueryCancellation({ running, database, databaseUrl: own.url, logger, answerMillis });
    // Until it listens it throws.
    await eventually(() => cancellation.cancel('nobody', ID));
    processes.push({ running, cancellation });
  }
  return processes;
}

async function close(processes: readonly Process[]): Promise<void> {
  await Promise.all(processes.map(({ cancellation }) => cancellation.close()));
  await eventually(async () => expect((await sessionsNamed(database.db, SESSION_NAME)).size).toBe(0));
}

test.each([1, 3])('of %s processes none runs the query, and that is known soon after all have said so', async (count) => {
  const processes = await openProcesses(count);
  processes.at(-1)?.running.begin({ id: ID, subject: 'bob', text: '1', client: new AbortController().signal });
  expect(await processes[0]?.cancellation.cancel('ann', ID)).toBe(false);
  await close(processes);
});

test('whichever process runs it cancels it', async () => {
  const processes = await openProcesses(3);
  const query = processes[2]?.running.begin({ id: ID, subject: 'ann', text: '1', client: new AbortController().signal });
  expect(await processes[0]?.cancellation.cancel('ann', ID)).toBe(true);
  expect(query?.isCancelled()).toBe(true);
  await close(processes);
});

test.each(['asks', 'runs the query'])(
  'where the session of the process that %s has just been ended, the query is cancelled all the same',
  async (who) => {
    const [asking] = await openProcesses(1);
    const [first = 0] = await sessionsNamed(database.db, SESSION_NAME);
    const [other] = await openProcesses(1);
    const second = [...(await sessionsNamed(database.db, SESSION_NAME))].find((session) => session !== first);
    const query = other?.running.begin({ id: ID, subject: 'ann', text: '1', client: new AbortController().signal });
    const ended = who === 'asks' ? first : second;
    const client = new Client({ connectionString: own.url });
    await client.connect();
    // The session has ended when this returns.
    await client.query('SELECT pg_terminate_backend($1::int, 10000)', [ended]);
    await client.end();
    expect(await asking?.cancellation.cancel('ann', ID)).toBe(true);
    expect(query?.isCancelled()).toBe(true);
    await close([asking, other].filter((process) => process !== undefined));
  },
);

test('a process that does not answer is waited for, up to a limit, and then nobody knows whether it ran the query', async () => {
  const [asking] = await openProcesses(1, 300);
  const deaf = openNotices({ url: own.url, applicationName: SESSION_NAME, channel: 'another', onNotice: () => undefined });
  await eventually(() => expect(deaf.session()).not.toBeNull());
  const began = performance.now();
  await expect(asking?.cancellation.cancel('ann', ID)).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(performance.now() - began).toBeGreaterThan(295);
  await deaf.close();
  await close(asking === undefined ? [] : [asking]);
});
