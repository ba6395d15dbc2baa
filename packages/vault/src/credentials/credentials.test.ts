import type { CredentialEventStore, CredentialKind, Database } from '@svc/database';
import { sql } from 'kysely';

import { openTestCredentials, type TestCredentials } from '../testing/open-test-credentials.ts';
import type { Credentials } from './credentials.ts';

let at: TestCredentials;
let database: Database;
let credentials: Credentials;
let events: CredentialEventStore;

beforeAll(async () => {
  at = await openTestCredentials();
  ({ database, credentials, events } = at);
});
afterAll(() => at.close());

const bucket = (subject: string, name: string) => ({ subject, kind: 'objbucket', name }) as const;
const keys = (secretKey: string) => ({ region: 'r', keys: { accessKey: 'a', secretKey } });

function unreadable(name: string): unknown {
  return {
    code: 'credentials_unreadable',
    status: 500,
    message: `The stored credentials of the bucket "${name}" cannot be decrypted. Delete them and register them again.`,
  };
}

test('with any byte of what is stored changed, that credential alone cannot be read', async () => {
  await credentials.register(bucket('flips', 'one'), keys('sesame'));
  await credentials.register(bucket('flips', 'two'), keys('open'));
  const [row] = await database.db.selectFrom('credentials').select(['id', 'sealed']).where('name', '=', 'one').execute();
  const { id = 0, sealed = Buffer.alloc(0) } = row ?? {};
  expect(sealed.length).toBeGreaterThan(100);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (sealed[at] ?? 0) ^ (1 << (at % 8));
    await database.db.updateTable('credentials').set({ sealed: changed }).where('id', '=', id).execute();
    // Changing the name of the master key makes it that of another key.
    const message = expect.stringMatching(/^The stored credentials of the bucket "one" cannot be decrypted[.:]/) as string;
    await expect(credentials.read(bucket('flips', 'one'))).rejects.toMatchObject({ ...(unreadable('one') as object), message });
  }
  expect((await credentials.read(bucket('flips', 'two'))).contents).toEqual(keys('open'));
  expect(await credentials.listNames('flips', 'objbucket')).toEqual(['one', 'two']);
  await credentials.delete(bucket('flips', 'one'));
  await credentials.register(bucket('flips', 'one'), keys('anew'));
  expect((await credentials.read(bucket('flips', 'one'))).contents).toEqual(keys('anew'));
});

test.each([
  ['names', `name = CASE name WHEN 'one' THEN 'two' ELSE 'one' END`],
  [
    'sealed values',
    `sealed = (SELECT other.sealed FROM credentials other WHERE other.subject = 'swaps' AND other.name <> credentials.name)`,
  ],
])('two rows whose %s were swapped cannot be read', async (_what, change) => {
  await credentials.register(bucket('swaps', 'one'), keys('sesame'));
  await credentials.register(bucket('swaps', 'two'), keys('open'));
  await credentials.register(bucket('swaps-not', 'three'), keys('other'));
  await sql`ALTER TABLE credentials DROP CONSTRAINT credentials_subject_kind_name_key`.execute(database.db);
  await sql.raw(`UPDATE credentials SET ${change} WHERE subject = 'swaps'`).execute(database.db);
  await sql`ALTER TABLE credentials ADD UNIQUE (subject, kind, name)`.execute(database.db);
  for (const name of ['one', 'two'])
    await expect(credentials.read(bucket('swaps', name))).rejects.toMatchObject(unreadable(name) as object);
  expect((await credentials.read(bucket('swaps-not', 'three'))).contents).toEqual(keys('other'));
  for (const [subject, name] of [
    ['swaps', 'one'],
    ['swaps', 'two'],
    ['swaps-not', 'three'],
  ] as const)
    await credentials.delete(bucket(subject, name));
});

test('a row that was given to another subject or kind cannot be read there', async () => {
  await credentials.register(bucket('thief-of', 'one'), keys('sesame'));
  await sql`UPDATE credentials SET subject = 'thief' WHERE subject = 'thief-of'`.execute(database.db);
  await expect(credentials.read(bucket('thief', 'one'))).rejects.toMatchObject(unreadable('one') as object);
  await sql`UPDATE credentials SET kind = 'rdbmsserver' WHERE subject = 'thief'`.execute(database.db);
  await expect(credentials.read({ subject: 'thief', kind: 'rdbmsserver', name: 'one' })).rejects.toMatchObject({
    code: 'credentials_unreadable',
  });
});

test('the audit trail holds who created, read and deleted what, and nothing that failed', async () => {
  const prefix = { subject: 'traced', kind: 'http-credential', name: 'HTTPS://a.example/' } as const;
  await credentials.register(prefix, { type: 'basic-auth', user: 'u', password: 'sesame' });
  await expect(credentials.register(prefix, { type: 'basic-auth', user: 'u', password: 'p' })).rejects.toMatchObject({
    code: 'http_credentials_already_exists',
  });
  await credentials.read({ ...prefix, name: 'https://a.example' });
  await credentials.delete({ ...prefix, name: 'https://a.example' });
  await expect(credentials.read(prefix)).rejects.toMatchObject({ code: 'http_credentials_not_found' });
  const trail = await events.list('traced', { limit: 10 });
  expect(trail.map(({ action, kind, name, times, error }) => [action, kind, name, times, error])).toEqual(
    ['deleted', 'read', 'created'].map((action) => [action, 'http-credential', 'HTTPS://a.example/', 1, null]),
  );
  expect(await events.list('traced', { limit: 1, before: trail[0]?.id })).toEqual([trail[1]]);
});

test('a summary shows names and no secret', async () => {
  await credentials.register(bucket('summed', 'sum'), keys('sesame'));
  const token = { subject: 'summed', kind: 'filehost-token', name: '' } as const;
  await credentials.register(token, { accessToken: 'sesame', tokenType: 'bearer', uid: '1' });
  const summary = await credentials.listAll('summed');
  const [createdAt, nothing] = [expect.any(Date) as Date, { lastUsedAt: null, lastError: null, lastErrorAt: null }];
  const listed: readonly [CredentialKind, string][] = [
    ['filehost-token', ''],
    ['objbucket', 'sum'],
  ];
  expect(summary).toEqual(listed.map(([kind, name]) => ({ kind, name, createdAt, ...nothing })));
});
