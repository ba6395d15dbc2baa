import { startCredentialsUnderTest, type CredentialsUnderTest } from '../testing/credentials-under-test.ts';
import { SAMPLES, TOKEN_SAMPLE } from '../testing/samples.ts';

let service: CredentialsUnderTest;

beforeAll(async () => {
  service = await startCredentialsUnderTest();
  for (const { list, body } of [...SAMPLES, TOKEN_SAMPLE]) await service.send('post', list, { body });
});
afterAll(() => service.close());

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

test('all credentials are listed by kind and name, with no secret', async () => {
  const { status, body } = await service.send('get', '/credentials');
  const rest = { createdAt: time, lastUsedAt: null, lastErrorAt: null, lastError: null };
  expect([status, body]).toEqual([
    200,
    [
      { kind: 'filehost-token', name: null, ...rest },
      { kind: 'http-credential', name: 'https://API.example.com:443/v1/', ...rest },
      { kind: 'objbucket', name: 'sales-data', ...rest },
      { kind: 'rdbmsserver', name: 'Crm.1', ...rest },
    ],
  ]);
  expect((await service.send('get', '/credentials', { as: 'ben' })).body).toEqual([]);
});

test('the audit trail is listed page by page, for its subject alone', async () => {
  await service.send('get', '/objbuckets/sales-data');
  const { body } = await service.send('get', '/credential-events?limit=2');
  expect(body).toEqual([
    { id: expect.any(Number), at: time, action: 'read', kind: 'objbucket', name: 'sales-data', times: 1, error: null },
    { id: expect.any(Number), at: time, action: 'created', kind: 'filehost-token', name: null, times: 1, error: null },
  ]);
  const [, second] = body as readonly { readonly id: number }[];
  const older = (await service.send('get', `/credential-events?before=${second?.id}`)).body as readonly { readonly action: string }[];
  expect(older.map(({ action }) => action)).toEqual(['created', 'created', 'created']);
  expect((await service.send('get', '/credential-events', { as: 'ben' })).body).toEqual([]);
});

test.each([
  ['limit=0', 'The query parameter limit must be a whole number from 1 to 1000.'],
  ['limit=1001', 'The query parameter limit must be a whole number from 1 to 1000.'],
  ['before=x', 'The query parameter before must be a whole number from 1 to 999999999999999.'],
  ['limit=1&limit=2', 'The query parameter limit is given more than once.'],
])('%s is refused: %s', async (query, message) => {
  expect(await service.send('get', `/credential-events?${query}`)).toMatchObject({ status: 400, body: { code: 'bad_request', message } });
});

test.each(['/credentials', '/credential-events'])('%s needs a token, and is stored nowhere', async (path) => {
  expect(await service.send('get', path, { as: null })).toMatchObject({ status: 401, headers: { 'cache-control': 'no-store' } });
  expect(await service.send('get', path)).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
});
