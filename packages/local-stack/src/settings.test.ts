import { readLocalStackSettings, urlHost } from './settings.ts';

const SERVICES = [{ name: 'sample', area: 'SAMPLE', entry: 'sample.ts', port: 1001, adminPort: 1002 }];

test('without any setting, everything is local', () => {
  expect(readLocalStackSettings({}, '/project', SERVICES)).toMatchObject({
    host: '127.0.0.1',
    dataDir: '/project/.data',
    databaseUrl: undefined,
    authorizationPort: 8084,
    issuer: 'http://127.0.0.1:8084',
    jwksUrl: 'http://127.0.0.1:8084/jwks',
    servicePorts: [{ name: 'sample', area: 'SAMPLE', port: 1001, adminPort: 1002 }],
  });
});

test('the address of tokens follows host and port, and gives way to what is set', () => {
  const env = { SVC_HOST: '0.0.0.0', SVC_AUTHORIZATION_PORT: '7000', SVC_TOKEN_AUDIENCE: 'urn:other' };
  expect(readLocalStackSettings(env, '/project')).toMatchObject({ issuer: 'http://127.0.0.1:7000', audience: 'urn:other' });
  expect(readLocalStackSettings({ ...env, SVC_TOKEN_ISSUER: 'https://login.example' }, '/project').issuer).toBe('https://login.example');
});

test('a relative data directory lies below the project', () => {
  expect(readLocalStackSettings({ SVC_DATA_DIR: 'here' }, '/project').dataDir).toBe('/project/here');
});

test('the thread pool holds every query that may run, and some more', () => {
  expect(readLocalStackSettings({ SVC_QUERY_CONCURRENCY: '30' }, '/project').threadPoolSize).toBe(46);
  expect(readLocalStackSettings({ SVC_QUERY_CONCURRENCY: '30', UV_THREADPOOL_SIZE: '64' }, '/project').threadPoolSize).toBe(64);
});

test('every setting that cannot be used is named at once, and no password is shown', () => {
  const env = { SVC_SAMPLE_PORT: '0', SVC_AUTHORIZATION_PORT: 'x', SVC_DATABASE_URL: 'mysql://me:secret@host' };
  expect(() => readLocalStackSettings(env, '/project', SERVICES)).toThrow(
    [
      'SVC_DATABASE_URL cannot be used: expected a URL that begins with postgresql:// or postgres://, its value, which is not shown, is not that',
      'SVC_AUTHORIZATION_PORT cannot be used: expected a whole number from 1 to 65535, found "x"',
      'SVC_SAMPLE_PORT cannot be used: expected a whole number from 1 to 65535, found "0"',
    ].join('\n'),
  );
});

test('two parts that would share a port are named', () => {
  expect(() => readLocalStackSettings({ SVC_SAMPLE_PORT: '8084' }, '/project', SERVICES)).toThrow(
    'SVC_SAMPLE_PORT cannot be used: SVC_AUTHORIZATION_PORT is 8084 too',
  );
});

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['::1', '[::1]'],
  ['localhost', 'localhost'],
])('what listens on %s is reached at %s', (host, expected) => {
  expect(urlHost(host)).toBe(expected);
});
