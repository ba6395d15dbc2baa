import { sql } from 'kysely';

import { ALL_MIGRATIONS, applyMigrations, openDatabase, revertMigrations, type Database, type Migration } from '@svc/database';
import { createTestDatabase, eventually } from '@svc/test-kit';

import { openStacks, processWith, type Stack } from '../stack.ts';
import { LiveData } from './live-data.ts';
import { createTopic, type TestTopic } from './test-topic.ts';

const NEWEST = ALL_MIGRATIONS.length;
const BUSY_TABLES = ['tables', 'views', 'packages', 'streams', 'stream_offsets', 'api_keys', 'applications', 'credentials'];

/** A migration of a future version, which changes every table that the current services use. */
const ADDS: Migration = {
  version: NEWEST + 1,
  name: 'of tomorrow',
  up: async (transaction) => {
    for (const table of BUSY_TABLES)
      await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN of_tomorrow text NOT NULL DEFAULT 'x'`.execute(transaction);
  },
  down: async (transaction) => {
    for (const table of BUSY_TABLES) await sql`ALTER TABLE ${sql.table(table)} DROP COLUMN of_tomorrow`.execute(transaction);
  },
};
const BREAKS: Migration = {
  version: NEWEST + 2,
  name: 'of the day after',
  breaksOlder: true,
  up: async (transaction) => void (await sql`ALTER TABLE credential_events RENAME TO events_of_credentials`.execute(transaction)),
  down: async (transaction) => void (await sql`ALTER TABLE events_of_credentials RENAME TO credential_events`.execute(transaction)),
};
const NEWER = [...ALL_MIGRATIONS, ADDS, BREAKS];

let stack: Stack;
let topic: TestTopic;
let database: Database;
let data: LiveData;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const { url, drop } = await createTestDatabase();
  closers.push(drop);
  topic = await createTopic();
  closers.push(topic.close);
  database = openDatabase({ url, applicationName: 'test', maxConnections: 2 });
  closers.push(database.close);
  const stacks = await openStacks();
  closers.push(stacks.close);
  stack = stacks.start({ SVC_DATABASE_URL: url });
  await stack.ready;
  data = await LiveData.create(stacks.settings, topic);
  closers.push(() => data.close());
});

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

/** Uses all services continuously, and collects failures, until it is stopped. */
function keepUsing(): { readonly rounds: () => number; readonly stop: () => Promise<readonly unknown[]> } {
  const faults: unknown[] = [];
  let rounds = 0;
  let isOver = false;
  const use = async (): Promise<void> => {
    while (!isOver) {
      try {
        await Promise.all([data.upload(), topic.send(4)]);
        const { endpoint, secret } = await data.see();
        const isAsExpected = secret === '200 7\n' && endpoint.startsWith('200');
        const unready = Object.entries(await data.readiness()).filter(([, answer]) => !answer.startsWith('200'));
        if (!isAsExpected || unready.length > 0) faults.push({ endpoint, secret, unready });
      } catch (error) {
        faults.push(error);
      }
      rounds += 1;
    }
  };
  const running = use();
  return {
    rounds: () => rounds,
    stop: async () => {
      isOver = true;
      await running;
      return faults;
    },
  };
}

/** Waits until everything was used a few times more. */
async function untilUsed(use: { readonly rounds: () => number }): Promise<void> {
  const before = use.rounds();
  await eventually(async () => expect(use.rounds()).toBeGreaterThan(before + 3));
}

async function expectWhole(): Promise<void> {
  const { table, view } = await data.see();
  expect([table, view]).toEqual([`{"n":${data.uploads},"ids":${data.uploads}}\n`, `${data.uploads}\n`]);
  await eventually(async () => expect(await data.countEvents()).toEqual({ rows: topic.sent(), ids: topic.sent() }));
}

test('services of the version before go on while the schema goes up by one version and down again, and nothing is lost', async () => {
  const use = keepUsing();
  await untilUsed(use);
  expect(await applyMigrations(database.db, [...ALL_MIGRATIONS, ADDS])).toEqual({ from: NEWEST, to: NEWEST + 1 });
  await untilUsed(use);
  expect(await revertMigrations(database.db, [...ALL_MIGRATIONS, ADDS])).toEqual({ from: NEWEST + 1, to: NEWEST });
  await untilUsed(use);
  expect(await use.stop()).toEqual([]);
  await expectWhole();
});

test('a service of the version before is started again at the newer schema', async () => {
  await applyMigrations(database.db, [...ALL_MIGRATIONS, ADDS]);
  process.kill(await processWith(stack, 'services/executor/src/main.ts'), 'SIGKILL');
  await eventually(async () => expect((await data.readiness())['executor']).toMatch(/^200/));
  await data.upload();
  await expectWhole();
});

test('services that a migration breaks say so and are not ready, until it is taken back', async () => {
  await applyMigrations(database.db, NEWER);
  const readiness = await data.readiness();
  expect(Object.keys(readiness)).toHaveLength(4);
  for (const answer of Object.values(readiness)) expect(answer).toMatch(/^503 .*"database":"failed"/);
  expect(stack.output()).toContain(`the database has schema version ${NEWEST + 2}, which breaks programs of version ${NEWEST}`);
  expect(await revertMigrations(database.db, NEWER, NEWEST)).toEqual({ from: NEWEST + 2, to: NEWEST });
  for (const answer of Object.values(await data.readiness())) expect(answer).toMatch(/^200/);
  await data.upload();
  await expectWhole();
});
