import { startCredentialsUnderTest, type CredentialsUnderTest } from '../testing/credentials-under-test.ts';

let service: CredentialsUnderTest;

beforeAll(async () => {
  service = await startCredentialsUnderTest();
});
afterAll(() => service.close());

const BASIC = { type: 'basic-auth', user: 'u', password: 'p' };
const detail = (prefix: string): string => `/http-creds/${encodeURIComponent(prefix)}`;

test.each([
  [BASIC, BASIC],
  [
    { type: 'oauth-client', clientId: 'c', clientSecret: 's', tokenUrl: 'https://t.example/token?tenant=1' },
    { type: 'oauth-client', clientId: 'c', clientSecret: 's', tokenUrl: 'https://t.example/token?tenant=1', useBasicAuth: null },
  ],
  [
    { type: 'oauth-client', clientId: 'c', clientSecret: 's', tokenUrl: 'http://[::1]:8080', useBasicAuth: false },
    { type: 'oauth-client', clientId: 'c', clientSecret: 's', tokenUrl: 'http://[::1]:8080', useBasicAuth: false },
  ],
  [
    { type: 'oauth-client', clientId: 'c', clientSecret: 's', tokenUrl: 'https://t.example', scope: 'a b', audience: null },
    { type: 'oauth-client', clientId: 'c', clientSecret: 's', tokenUrl: 'https://t.example', useBasicAuth: null, scope: 'a b' },
  ],
  [
    { type: 'oauth-token', token: 't' },
    { type: 'oauth-token', token: 't', refreshToken: null, tokenUrl: null },
  ],
  [
    { type: 'oauth-token', token: 't', refreshToken: 'r', tokenUrl: 'https://t.example/token' },
    { type: 'oauth-token', token: 't', refreshToken: 'r', tokenUrl: 'https://t.example/token' },
  ],
])('each form is kept, and what is absent is null: %j', async (credentials, shown) => {
  expect((await service.send('post', '/http-creds', { body: { prefixUrl: 'https://a.example', credentials } })).status).toBe(201);
  expect((await service.send('get', detail('https://a.example'))).body).toEqual({ prefixUrl: 'https://a.example', credentials: shown });
  await service.send('delete', detail('https://a.example'));
});

test('a user name that basic authentication cannot send is refused', async () => {
  const credentials = { ...BASIC, user: 'ann:secret' };
  expect(await service.send('post', '/http-creds', { body: { prefixUrl: 'https://a.example', credentials } })).toMatchObject({
    status: 400,
    body: { code: 'bad_request', message: 'The field credentials.user must be a user name without ":" and control characters.' },
  });
});

test('a prefix is found in any spelling of the same, and answered as it was sent', async () => {
  const sent = 'HTTPS://API.Example.com:443/V1/%7euser/';
  await service.send('post', '/http-creds', { body: { prefixUrl: sent, credentials: BASIC } });
  for (const spelling of [
    sent,
    'https://api.example.com/V1/~user',
    'https://api.example.com/V1/%7Euser/',
    'https://api.example.com/x/../V1/~user',
  ]) {
    expect((await service.send('get', detail(spelling))).body).toEqual({ prefixUrl: sent, credentials: BASIC });
    expect(await service.send('post', '/http-creds', { body: { prefixUrl: spelling, credentials: BASIC } })).toMatchObject({
      body: { code: 'http_credentials_already_exists' },
    });
  }
  for (const other of [
    'https://api.example.com/v1/~user',
    'https://api.example.com:8443/V1/~user',
    'http://api.example.com/V1/~user',
    'https://api.example.com/V1/~user//',
  ])
    expect((await service.send('get', detail(other))).status).toBe(400);
  expect((await service.send('get', '/http-creds')).body).toEqual([sent]);
  expect((await service.send('delete', detail('https://api.example.com/V1/~user'))).status).toBe(204);
});

test.each([
  'ftp://a.example',
  'a.example',
  'https://user@a.example',
  'https://user:pw@a.example/x',
  'https://@a.example',
  'https://a.example?x=1',
  'https://a.example/?',
  'https://a.example/#f',
  'https://a.example\\x',
  ' https://a.example',
  'https:a.example',
  'https://',
  'https://a b.example',
  'https://a.example:99999',
])('%j is no prefix', async (prefixUrl) => {
  expect(await service.send('post', '/http-creds', { body: { prefixUrl, credentials: BASIC } })).toMatchObject({
    status: 400,
    body: { code: 'bad_request', message: 'The field prefixUrl must be an http or https URL without user info, query and fragment.' },
  });
});

test.each([
  [{}, 'The field credentials.type must be one of basic-auth, oauth-client, oauth-token.'],
  [{ type: 'digest' }, 'The field credentials.type must be one of basic-auth, oauth-client, oauth-token.'],
  ['basic', 'The field credentials must be an object.'],
  [{ type: 'basic-auth', user: 'u' }, 'The field credentials.password is missing.'],
  [{ ...BASIC, token: 'sesame' }, 'The field credentials.token is unknown (known: type, user, password).'],
  [
    { type: 'oauth-client', clientId: '', clientSecret: 's', tokenUrl: 'https://u:sesame@t.example' },
    'The field credentials.clientId must not be empty. The field credentials.tokenUrl must be an http or https URL without user info and fragment.',
  ],
  [{ type: 'oauth-token', token: 't\u2026' }, 'The field credentials.token must be a text of ASCII characters without line breaks.'],
  [
    { type: 'oauth-token', token: 't', tokenUrl: 'file:///etc/passwd', refreshToken: '' },
    'The field credentials.refreshToken must not be empty. The field credentials.tokenUrl must be an http or https URL without user info and fragment.',
  ],
])('the credentials %j are refused: %s', async (credentials, message) => {
  expect((await service.send('post', '/http-creds', { body: { prefixUrl: 'https://a.example', credentials } })).body).toEqual({
    code: 'bad_request',
    message,
  });
});
