import { randomBytes } from 'node:crypto';

import { eventually } from '@svc/test-kit';

import { createVault } from '../envelope/vault.ts';
import { openTestCredentials, type TestCredentials } from '../testing/open-test-credentials.ts';
import { createCredentialReader, type CredentialReader } from './credential-reader.ts';

let at: TestCredentials;
let reader: CredentialReader;
const failures: unknown[] = [];

beforeAll(async () => {
  at = await openTestCredentials();
  reader = createCredentialReader({ ...at, noteAfterMs: 20, onFailure: (error) => void failures.push(error) });
});
afterAll(async () => {
  await reader.close();
  await at.close();
});

const http = (subject: string, name: string) => ({ subject, kind: 'http-credential', name }) as const;

/** The prefix of the credential that is used for a URL. */
async function prefixFor(subject: string, url: string): Promise<string | undefined> {
  return (await reader.httpCredential(subject, new URL(url)))?.prefixUrl;
}

test('each kind is found by its name, for its subject alone', async () => {
  const server = {
    vendor: 'postgresql',
    host: 'h',
    port: 1,
    database: 'd',
    username: null,
    password: 'sesame',
    properties: { sslmode: 'require' },
  } as const;
  await at.credentials.register(
    { subject: 'ann', kind: 'objbucket', name: 'private' },
    { region: 'r', keys: { accessKey: 'a', secretKey: 's' } },
  );
  await at.credentials.register({ subject: 'ann', kind: 'objbucket', name: 'public' }, { region: 'r', keys: null });
  await at.credentials.register({ subject: 'ann', kind: 'rdbmsserver', name: 'crm' }, server);
  await at.credentials.register({ subject: 'ann', kind: 'filehost-token', name: '' }, { accessToken: 't', tokenType: 'bearer', uid: '1' });
  const identity = expect.any(String) as string;

  expect(await reader.bucket('ann', 'private')).toEqual({ identity, region: 'r', accessKey: 'a', secretKey: 's' });
  expect(await reader.bucket('ann', 'public')).toEqual({ identity, region: 'r', accessKey: null, secretKey: null });
  expect(await reader.databaseServer('ann', 'crm')).toEqual({ identity, ...server });
  expect(await reader.fileHostToken('ann')).toMatchObject({ identity, accessToken: 't' });
  expect([
    await reader.bucket('ben', 'private'),
    await reader.databaseServer('ben', 'crm'),
    await reader.fileHostToken('ben'),
    await reader.bucket('ann', 'crm'),
  ]).toEqual([null, null, null, null]);
});

test('of the prefixes that match a URL the longest is used', async () => {
  const prefixes = ['https://a.example', 'https://a.example/v1/', 'HTTPS://A.example:443/v1/users', 'https://a.example:8443'];
  for (const [index, prefix] of prefixes.entries())
    await at.credentials.register(http('carl', prefix), { type: 'basic-auth', user: `u${index}`, password: 'p' });
  expect(await prefixFor('carl', 'https://a.example/')).toBe(prefixes[0]);
  expect(await prefixFor('carl', 'https://a.example/v10/users')).toBe(prefixes[0]);
  expect(await prefixFor('carl', 'https://a.example/v1?q=/v1/users')).toBe(prefixes[1]);
  expect(await prefixFor('carl', 'https://a.example/v1/users/5')).toBe(prefixes[2]);
  expect(await prefixFor('carl', 'https://a.example/v1/usersx')).toBe(prefixes[1]);
  expect(await prefixFor('carl', 'https://a.example:8443/v1/users')).toBe(prefixes[3]);
  expect(await prefixFor('carl', 'http://a.example/v1/users')).toBeUndefined();
  expect(await prefixFor('ann', 'https://a.example/')).toBeUndefined();
  expect((await reader.httpCredential('carl', new URL('https://a.example/v1/users')))?.secret).toEqual({
    type: 'basic-auth',
    user: 'u2',
    password: 'p',
  });
});

test('a credential that was registered anew has another identity', async () => {
  const bucket = { subject: 'dora', kind: 'objbucket', name: 'bucket' } as const;
  const contents = { region: 'r', keys: null };
  await at.credentials.register(bucket, contents);
  const before = await reader.bucket('dora', 'bucket');
  await at.credentials.delete(bucket);
  expect(await reader.bucket('dora', 'bucket')).toBeNull();
  await at.credentials.register(bucket, contents);
  expect((await reader.bucket('dora', 'bucket'))?.identity).not.toBe(before?.identity);
});

describe('a refreshed token', () => {
  const prefixUrl = 'https://token.example/V1/';
  const token = { type: 'oauth-token', token: 't0', refreshToken: 'r0', tokenUrl: 'https://token.example/token' } as const;
  const read = async (subject: string) => reader.httpCredential(subject, new URL('https://token.example/V1/x'));

  test('is stored under the same identity, with a new refresh token or the old one', async () => {
    await at.credentials.register(http('eve', prefixUrl), token);
    const { identity = '' } = (await read('eve')) ?? {};
    await reader.saveRefreshedToken({ subject: 'eve', prefixUrl, identity, token: 't1', refreshToken: null });
    expect(await read('eve')).toEqual({ identity, prefixUrl, secret: { ...token, token: 't1' } });
    await reader.saveRefreshedToken({ subject: 'eve', prefixUrl, identity, token: 't2', refreshToken: 'r2' });
    expect(await read('eve')).toEqual({ identity, prefixUrl, secret: { ...token, token: 't2', refreshToken: 'r2' } });
    expect((await at.events.list('eve', { limit: 2 })).map(({ action }) => action)).toEqual(['refreshed', 'refreshed']);
  });

  test('is not stored where its owner has deleted, replaced or never had the credential', async () => {
    await at.credentials.register(http('fay', prefixUrl), token);
    const { identity = '' } = (await read('fay')) ?? {};
    const refreshed = { subject: 'fay', prefixUrl, identity, token: 't1', refreshToken: null };
    await at.credentials.delete(http('fay', prefixUrl));
    await reader.saveRefreshedToken(refreshed);
    expect(await read('fay')).toBeNull();
    await at.credentials.register(http('fay', prefixUrl), token);
    await reader.saveRefreshedToken(refreshed);
    expect((await read('fay'))?.secret).toEqual(token);
    await reader.saveRefreshedToken({ ...refreshed, subject: 'nobody' });
    expect(await read('nobody')).toBeNull();
  });

  test('of ten that are stored at once is one whole', async () => {
    await at.credentials.register(http('gil', prefixUrl), token);
    const { identity = '' } = (await read('gil')) ?? {};
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        reader.saveRefreshedToken({ subject: 'gil', prefixUrl, identity, token: `t${n}`, refreshToken: `r${n}` }),
      ),
    );
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    const secret = (await read('gil'))?.secret;
    if (secret?.type !== 'oauth-token') throw new Error('it has another type');
    expect(secret.token.slice(1)).toBe(secret.refreshToken?.slice(1));
  });
});

test('uses are collected, and noted with the credential and in the audit trail', async () => {
  await at.credentials.register({ subject: 'hal', kind: 'objbucket', name: 'bucket' }, { region: 'r', keys: null });
  const use = { subject: 'hal', kind: 'objbucket', name: 'bucket' } as const;
  for (let n = 0; n < 50; n += 1) reader.used({ ...use, error: null });
  reader.used({ ...use, error: 'x'.repeat(600) });
  await eventually(async () => {
    const [summary] = await at.credentials.listAll('hal');
    expect(summary).toMatchObject({ lastUsedAt: expect.any(Date), lastError: 'x'.repeat(500), lastErrorAt: expect.any(Date) });
  });
  const trail = await eventually(async () => {
    const found = await at.events.list('hal', { limit: 10 });
    expect(found).toHaveLength(3);
    return found;
  });
  expect(trail.map(({ action, times, error }) => [action, times, error?.length])).toEqual([
    ['used', 1, 500],
    ['used', 50, undefined],
    ['created', 1, undefined],
  ]);
});

test('uses that cannot be noted are reported, kept, and noted later', async () => {
  const other = createCredentialReader({ ...at, noteAfterMs: 10, onFailure: (error) => void failures.push(error) });
  await at.database.db.schema.alterTable('credential_events').renameTo('moved').execute();
  other.used({ subject: 'ida', kind: 'objbucket', name: 'b', error: null });
  await eventually(() => expect(String(failures[0])).toContain('credential_events'));
  await at.database.db.schema.alterTable('moved').renameTo('credential_events').execute();
  await other.close();
  expect((await at.events.list('ida', { limit: 10 })).map(({ action, times }) => [action, times])).toEqual([['used', 1]]);
});

test('a credential that was stored under another master key says so, and that nothing is lost', async () => {
  const name = { subject: 'kim', kind: 'objbucket', name: 'restored' } as const;
  await at.credentials.register(name, { region: 'r', keys: null });
  const vault = createVault({ masterKey: randomBytes(32) });
  const other = createCredentialReader({ ...at, vault, onFailure: () => undefined });
  await expect(other.bucket('kim', 'restored')).rejects.toMatchObject({
    code: 'credentials_unreadable',
    message:
      'The stored credentials of the bucket "restored" cannot be decrypted: they were stored under another master key than this service has.',
  });
  await other.close();
  expect((await reader.bucket('kim', 'restored'))?.region).toBe('r');
});

test('a record that cannot be decrypted is an error of that record alone', async () => {
  await at.credentials.register({ subject: 'joe', kind: 'objbucket', name: 'bad' }, { region: 'r', keys: null });
  await at.credentials.register({ subject: 'joe', kind: 'objbucket', name: 'good' }, { region: 'r', keys: null });
  await at.database.db
    .updateTable('credentials')
    .set({ sealed: Buffer.from('no') })
    .where('name', '=', 'bad')
    .execute();
  await expect(reader.bucket('joe', 'bad')).rejects.toMatchObject({
    code: 'credentials_unreadable',
    message: 'The stored credentials of the bucket "bad" cannot be decrypted. Delete them and register them again.',
  });
  expect((await reader.bucket('joe', 'good'))?.region).toBe('r');
});
