import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { adminQuery, createTestDatabase, eventually, openTcpProxy, type TcpProxy } from '@svc/test-kit';

import { openStacks } from '../stack.ts';
import { LiveData } from './live-data.ts';
import { createTopic, type TestTopic } from './test-topic.ts';

const PAGE = await readFile(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

/** A fault of PostgreSQL, with its cause and its repair. */
interface Trouble {
  readonly name: string;
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

let url: string;
let role: string;
let proxy: TcpProxy;
let topic: TestTopic;
let data: LiveData;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const created = await createTestDatabase();
  ({ url } = created);
  const target = new URL(url);
  const database = target.pathname.slice(1);
  role = `owner_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  // Limits of connections hold for users who may not do everything.
  await adminQuery(url, `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`, `ALTER DATABASE "${database}" OWNER TO ${role}`);
  closers.push(async () => {
    await created.drop();
    await adminQuery(new URL('/postgres', url).href, `DROP ROLE ${role}`);
  });
  proxy = await openTcpProxy({ host: target.hostname, port: Number(target.port) });
  closers.push(proxy.close);
  topic = await createTopic();
  closers.push(topic.close);
  const stacks = await openStacks();
  closers.push(stacks.close);
  const stack = stacks.start({
    SVC_DATABASE_URL: `postgresql://${role}:${password}@127.0.0.1:${proxy.port}/${database}`,
    SVC_STATEMENT_TIMEOUT_MS: '1000',
  });
  await stack.ready;
  data = await LiveData.create(stacks.settings, topic);
  closers.push(() => data.close());
});

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

/** Ends the services' sessions: settings of a database or a user hold for new ones. */
const endSessions = (): Promise<unknown> =>
  adminQuery(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
const name = (): string => new URL(url).pathname.slice(1);
/** Tables that services write on uploads, stored objects and streams. */
const WRITTEN = ['views', 'api_keys', 'credentials', 'stream_offsets'];

async function fill(): Promise<void> {
  await adminQuery(
    url,
    `CREATE FUNCTION raise_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'No space left' USING ERRCODE = '53100'; END $$`,
  );
  // The server raises the error where a full disk would: while rows are written.
  for (const table of [...WRITTEN, ...(await rowTables())])
    await adminQuery(url, `CREATE TRIGGER is_full BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION raise_full()`);
}

async function rowTables(): Promise<readonly string[]> {
  const rows = await adminQuery(url, `SELECT format('user_rows.%I', tablename) AS name FROM pg_tables WHERE schemaname = 'user_rows'`);
  return rows.map((row) => String(row['name']));
}

const TROUBLES: readonly Trouble[] = [
  { name: 'full', begin: fill, end: () => adminQuery(url, 'DROP FUNCTION raise_full() CASCADE') },
  {
    name: 'read-only',
    begin: async () => {
      await adminQuery(url, `ALTER DATABASE "${name()}" SET default_transaction_read_only = on`);
      await endSessions();
    },
    end: async () => {
      await adminQuery(url, 'SET default_transaction_read_only = off', `ALTER DATABASE "${name()}" RESET default_transaction_read_only`);
      await endSessions();
    },
  },
  {
    name: 'out of connections',
    begin: async () => {
      await adminQuery(url, `ALTER ROLE ${role} CONNECTION LIMIT 0`);
      await endSessions();
    },
    end: () => adminQuery(url, `ALTER ROLE ${role} CONNECTION LIMIT -1`),
  },
  {
    name: 'slow',
    begin: async () => {
      proxy.setFault({ afterBytes: 0, kind: 'stall' });
      proxy.cut();
    },
    end: async () => {
      proxy.setFault(null);
      proxy.cut();
    },
  },
  {
    name: 'gone',
    begin: async () => {
      proxy.setFault({ afterBytes: 0, kind: 'die' });
      proxy.cut();
    },
    end: async () => proxy.setFault(null),
  },
];

/** Returns the page's line: the fault, and the response to each request of `statuses`. */
function lineOf(trouble: string, answers: Readonly<Record<string, string>>): string {
  return `| ${trouble} | ${Object.values(answers).join(' | ')} |`;
}

test.each(TROUBLES)('PostgreSQL that is $name: each service answers as the page says, and works again afterwards', async (trouble) => {
  await eventually(async () => expect(Object.values(await data.statuses()).join(' ')).toMatch(/^(2\d\d ?)+$/));
  await trouble.begin();
  let answers: Readonly<Record<string, string>> = {};
  try {
    await topic.send(10);
    answers = await data.statuses();
  } finally {
    await trouble.end();
  }
  // Everything works again, and messages that arrived meanwhile are stored once.
  await eventually(async () => expect(Object.values(await data.statuses()).join(' ')).toMatch(/^(2\d\d ?)+$/));
  await eventually(async () => expect(await data.countEvents()).toEqual({ rows: topic.sent(), ids: topic.sent() }));
  expect(PAGE).toContain(lineOf(trouble.name, answers));
});
