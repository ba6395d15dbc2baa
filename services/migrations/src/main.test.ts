import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import { openDatabase, schemaStatus } from '@svc/database';
import { createTestDatabase } from '@svc/test-kit';

interface Ended {
  readonly code: number | null;
  readonly log: string;
  readonly errors: string;
}

async function runJob(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
  const main = new URL('./main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--conditions=@svc/source', '--disable-warning=ExperimentalWarning', main, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [log, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, log, errors };
}

test('an empty database gets the newest version, also from two jobs at once, and a second run changes nothing', async () => {
  const { url, drop } = await createTestDatabase();
  try {
    const both = await Promise.all([runJob({ SVC_DATABASE_URL: url }), runJob({ SVC_DATABASE_URL: url })]);
    expect(both.map(({ code, errors }) => ({ code, errors }))).toEqual(Array(2).fill({ code: 0, errors: '' }));
    const messages = both.map(({ log }) => (JSON.parse(log) as { readonly msg: string }).msg);
    expect(new Set(messages)).toEqual(new Set(['the database was migrated', 'the database has the newest version']));
    const database = openDatabase({ url, applicationName: 'test', maxConnections: 1 });
    expect(await schemaStatus(database.db)).toMatchObject({ kind: 'current' });
    await database.close();
  } finally {
    await drop();
  }
});

test('a database that is newer is left alone: the job ends well if this program works with it, and fails if not', async () => {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url, applicationName: 'test', maxConnections: 1 });
  try {
    await runJob({ SVC_DATABASE_URL: url });
    await database.db.insertInto('schema_versions').values({ version: 9998, name: 'adds' }).execute();
    const newer = await runJob({ SVC_DATABASE_URL: url });
    expect({ code: newer.code, log: JSON.parse(newer.log) }).toMatchObject({ code: 0, log: { from: 9998, to: 9998 } });
    await database.db.insertInto('schema_versions').values({ version: 9999, name: 'removes', breaks_older: true }).execute();
    const { code, log } = await runJob({ SVC_DATABASE_URL: url });
    expect({ code, log: JSON.parse(log) }).toMatchObject({ code: 1, log: { level: 'fatal', msg: expect.stringContaining('9999') } });
  } finally {
    await database.close();
    await drop();
  }
});

test('"down" goes back by one version, or to the version that is given, and says what it cannot do', async () => {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url, applicationName: 'test', maxConnections: 1 });
  const env = { SVC_DATABASE_URL: url };
  try {
    await runJob(env);
    const { version } = await schemaStatus(database.db);
    const down = await runJob(env, 'down');
    expect({ code: down.code, log: JSON.parse(down.log) }).toMatchObject({
      code: 0,
      log: { from: version, to: version - 1, msg: 'the database was taken back' },
    });
    expect(await schemaStatus(database.db)).toEqual({ kind: 'behind', version: version - 1, expected: version });
    const same = await runJob(env, 'down', String(version - 1));
    expect(JSON.parse(same.log)).toMatchObject({ msg: 'the database has this version' });
    const impossible = await runJob(env, 'down', '1');
    expect({ code: impossible.code, log: JSON.parse(impossible.log) }).toMatchObject({
      code: 1,
      log: { level: 'fatal', msg: expect.stringMatching(/^Schema version \d+ \(.*\) cannot be taken back: restore a backup\.$/) },
    });
    expect(await runJob(env, 'up')).toMatchObject({
      code: 1,
      errors: 'The arguments are "up": expected none, or "down" with the version to go back to.\n',
    });
    await runJob(env);
    expect(await schemaStatus(database.db)).toMatchObject({ kind: 'current' });
  } finally {
    await database.close();
    await drop();
  }
});

test('a missing address and a database that does not answer are told without the password', async () => {
  expect(await runJob({})).toMatchObject({
    code: 1,
    errors:
      'SVC_DATABASE_URL is not set: expected the address of a PostgreSQL database, a URL that begins with postgresql:// or postgres://\n',
  });
  const { code, log } = await runJob({ SVC_DATABASE_URL: 'postgresql://someone:canary@127.0.0.1:1/none' });
  expect({ code, level: JSON.parse(log).level }).toEqual({ code: 1, level: 'fatal' });
  expect(log).not.toContain('canary');
});
