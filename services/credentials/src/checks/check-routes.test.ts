import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createTestBucket, createTestDatabase, testAuthorization, type TestBucket } from '@svc/test-kit';

import { startCredentialsUnderTest, type CredentialsUnderTest } from '../testing/credentials-under-test.ts';

let service: CredentialsUnderTest;
let bucket: TestBucket;
let api: Server;
let origin: string;

beforeAll(async () => {
  bucket = await createTestBucket();
  api = createServer((req, res) => {
    const { authorization = '' } = req.headers;
    if (req.url === '/host/2/files/list_folder') {
      res.writeHead(authorization === 'Bearer right' ? 200 : 401, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ entries: [], cursor: 'c', has_more: false }));
      return;
    }
    const isKnown = authorization === `Basic ${btoa('u:right')}` || authorization.startsWith('Bearer ey');
    res.writeHead(!isKnown ? 401 : req.url === '/absent' ? 404 : 200).end('{}');
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`; // a listening TCP server has this kind of address
  service = await startCredentialsUnderTest({ s3: new URL(bucket.endpoint), fileHost: new URL(`${origin}/host`) });
});
afterAll(async () => {
  api.close();
  await service.close();
});

const check = async (path: string) => {
  const { status, body, headers } = await service.send('post', `${path}/check`);
  expect(headers['cache-control']).toBe('no-store');
  return [status, body];
};

async function checkBucket(keys: object | null, name = bucket.name): Promise<unknown> {
  await service.send('post', '/objbuckets', { body: { name, region: bucket.region, credentials: keys } });
  const outcome = await check(`/objbuckets/${name}`);
  await service.send('delete', `/objbuckets/${name}`);
  return outcome;
}

test('keys of a bucket are tried at the store', async () => {
  const { accessKey, secretKey, name } = bucket;
  expect(await checkBucket({ accessKey, secretKey })).toEqual([200, { ok: true }]);
  expect(await checkBucket({ accessKey, secretKey: 'sesame' })).toEqual([
    200,
    {
      ok: false,
      error: `s3://${name}/: authentication failed: the object store refused the keys that are registered for the bucket ${name}`,
    },
  ]);
  expect(await checkBucket({ accessKey, secretKey }, 'no-such-bucket')).toEqual([
    200,
    { ok: false, error: 's3://no-such-bucket/: path not found: there is no bucket no-such-bucket' },
  ]);
  expect(await checkBucket(null)).toEqual([
    200,
    {
      ok: false,
      error: `s3://${name}/: authentication failed: the bucket ${name} is not public: did you register credentials for ${name}?`,
    },
  ]);
});

test('user and password of a database server are tried at the server', async () => {
  const { url, drop } = await createTestDatabase();
  const { hostname, port, pathname, username, password } = new URL(url);
  const server = { name: 'crm', vendor: 'postgresql', host: hostname, port: Number(port), database: pathname.slice(1), username };
  const checkServer = async (given: object): Promise<unknown> => {
    expect((await service.send('post', '/rdbmsservers', { body: { ...server, ...given } })).status).toBe(201);
    const outcome = await check('/rdbmsservers/crm');
    await service.send('delete', '/rdbmsservers/crm');
    return outcome;
  };
  expect(await checkServer({ password: decodeURIComponent(password) })).toEqual([200, { ok: true }]);
  expect(await checkServer({ password: 'sesame' })).toEqual([
    200,
    { ok: false, error: 'pgsql:crm: authentication failed: the database server refused the credentials that are registered for crm' },
  ]);
  expect(await checkServer({ password: decodeURIComponent(password), database: 'nope' })).toEqual([
    200,
    { ok: false, error: 'pgsql:crm: the database that is registered for crm does not exist' },
  ]);
  expect(await checkServer({ username: null })).toMatchObject([200, { ok: false, error: expect.stringContaining('no user name') }]);
  expect(await checkServer({ host: '192.168.1.1' })).toMatchObject([200, { error: expect.stringContaining('may not be reached') }]);
  await drop();
});

async function checkPrefix(prefixUrl: string, credentials: object): Promise<unknown> {
  expect((await service.send('post', '/http-creds', { body: { prefixUrl, credentials } })).status).toBe(201);
  const outcome = await check(`/http-creds/${encodeURIComponent(prefixUrl)}`);
  await service.send('delete', `/http-creds/${encodeURIComponent(prefixUrl)}`);
  return outcome;
}

test('the token of the file host is tried there', async () => {
  const checkToken = async (accessToken: string): Promise<unknown> => {
    await service.send('post', '/filehost-tokens', { body: { accessToken, tokenType: 'bearer', uid: '1' } });
    const outcome = await check('/filehost-tokens');
    await service.send('delete', '/filehost-tokens');
    return outcome;
  };
  expect(await checkToken('right')).toEqual([200, { ok: true }]);
  expect(await checkToken('sesame')).toEqual([
    200,
    { ok: false, error: 'authentication failed: filehost:/: the file host did not accept the registered token' },
  ]);
});

const basic = (password: string) => ({ type: 'basic-auth', user: 'u', password });

test('credentials of a prefix are tried at the prefix, and with the token endpoint', async () => {
  const refused = expect.stringContaining(`the credentials registered for ${origin}/v1 were not accepted`) as string;
  expect(await checkPrefix(`${origin}/v1`, basic('right'))).toEqual([200, { ok: true }]);
  expect(await checkPrefix(`${origin}/v1`, basic('sesame'))).toEqual([200, { ok: false, error: refused }]);
  expect(await checkPrefix(`${origin}/absent`, basic('right'))).toEqual([200, { ok: true }]);
  const { issuer, client } = await testAuthorization();
  const oauth = { type: 'oauth-client', clientId: client.id, clientSecret: client.secret, tokenUrl: `${issuer}/token`, useBasicAuth: true };
  expect(await checkPrefix(origin, oauth)).toEqual([200, { ok: true }]);
  expect(await checkPrefix(origin, { ...oauth, clientSecret: 'sesame' })).toEqual([
    200,
    { ok: false, error: expect.stringContaining('no token could be had with the credentials registered for') },
  ]);
});

test('a system that may not be reached, or is not there, is what failed', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo; // a listening TCP server has this kind of address
  closed.close();
  expect(await checkPrefix(`http://127.0.0.1:${port}`, basic('p'))).toMatchObject([200, { error: expect.stringContaining('refused') }]);
  expect(await checkPrefix('http://10.0.0.1/', basic('p'))).toMatchObject([200, { error: expect.stringMatching(/10\.0\.0\.1.*not/) }]);
});

test('an attempt is in the audit trail, changes nothing else, and shows no secret', async () => {
  const path = `/http-creds/${encodeURIComponent(origin)}`;
  await service.send('post', '/http-creds', { body: { prefixUrl: origin, credentials: basic('sesame') } });
  await check(path);
  expect((await service.send('get', path)).body).toEqual({ prefixUrl: origin, credentials: basic('sesame') });
  const [summary] = (await service.send('get', '/credentials')).body as readonly unknown[];
  expect(summary).toMatchObject({ name: origin, lastUsedAt: null, lastError: null });
  const trail = (await service.send('get', '/credential-events')).body as readonly { readonly action: string; readonly error: unknown }[];
  expect(trail.find(({ action }) => action === 'checked')?.error).toContain('were not accepted');
  expect(JSON.stringify(trail) + service.log.join('')).not.toContain('sesame');
});

test.each([
  ['/objbuckets/none', 'objstore_credentials_not_found'],
  ['/rdbmsservers/none', 'database_credentials_not_found'],
  ['/filehost-tokens', 'filehost_token_not_found'],
  ['/http-creds/https%3A%2F%2Fnone.example', 'http_credentials_not_found'],
])('what is not registered is not tried: %s', async (path, code) => {
  expect(await check(path)).toEqual([400, { code, message: expect.any(String) }]);
  expect((await service.send('post', `${path}/check`, { as: null })).status).toBe(401);
  expect((await service.send('get', `${path}/check`)).status).toBe(405);
});
