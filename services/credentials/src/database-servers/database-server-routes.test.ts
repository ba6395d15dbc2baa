import { startCredentialsUnderTest, type CredentialsUnderTest } from '../testing/credentials-under-test.ts';

let service: CredentialsUnderTest;

beforeAll(async () => {
  service = await startCredentialsUnderTest();
});
afterAll(() => service.close());

const CERTIFICATE = 'of our own\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const SERVER = { name: 's', vendor: 'postgresql', host: '::1', port: 65_535, database: 'd b' };

test.each([
  [{}, { username: null, password: null }],
  [{ username: 'u' }, { username: 'u', password: null }],
  [
    { username: null, password: ' p ' },
    { username: null, password: ' p ' },
  ],
  [{ properties: { sslmode: 'verify-full', sslrootcert: CERTIFICATE } }, { username: null, password: null }],
  [{ properties: { sslmode: 'verify-full', sslrootcert: 'system' } }, { username: null, password: null }],
])('user and password may be absent: %j', async (given, expected) => {
  expect((await service.send('post', '/rdbmsservers', { body: { ...SERVER, ...given } })).status).toBe(201);
  expect((await service.send('get', '/rdbmsservers/s')).body).toEqual({
    type: 'postgresql',
    host: '::1',
    port: 65_535,
    database: 'd b',
    ...expected,
  });
  await service.send('delete', '/rdbmsservers/s');
});

test.each([
  [{ vendor: 'oracle' }, 'The field vendor must be postgresql.'],
  [{ port: 0 }, 'The field port must be a whole number from 1 to 65535.'],
  [{ port: 65_536 }, 'The field port must be a whole number from 1 to 65535.'],
  [{ port: '5432' }, 'The field port must be a whole number from 1 to 65535.'],
  [{ port: 1.5 }, 'The field port must be a whole number from 1 to 65535.'],
  [{ host: '' }, 'The field host must be a host name or an IP address, without a port.'],
  [{ host: '/var/run/postgresql' }, 'The field host must be a host name or an IP address, without a port.'],
  [{ host: 'db.example.com:5432' }, 'The field host must be a host name or an IP address, without a port.'],
  [{ host: 'user@host' }, 'The field host must be a host name or an IP address, without a port.'],
  [{ database: '' }, 'The field database must not be empty.'],
  [{ password: '' }, 'The field password must not be empty.'],
  [{ username: 7 }, 'The field username must be a string or null.'],
  [{ properties: { sslmode: 'maybe' } }, 'The field properties.sslmode must be one of disable, prefer, require, verify-ca, verify-full.'],
  [
    { properties: { sslmode: 'verify-full', sslrootcert: '/etc/ssl/root.pem' } },
    'The field properties.sslrootcert must be the text of PEM certificates, or system.',
  ],
  [{ properties: { ssl: true } }, 'The field properties.ssl is unknown (known: sslmode, sslrootcert).'],
  [{ name: 'a b' }, 'The field name must have 1 to 64 letters, digits, "_", "." and "-".'],
  [{ name: 'x'.repeat(65) }, 'The field name must have 1 to 64 letters, digits, "_", "." and "-".'],
])('%j is refused: %s', async (wrong, message) => {
  expect(await service.send('post', '/rdbmsservers', { body: { ...SERVER, ...wrong } })).toMatchObject({
    status: 400,
    body: { code: 'bad_request', message },
  });
});

test('every fault is named at once', async () => {
  const { body } = await service.send('post', '/rdbmsservers', { body: { name: 's', vendor: 'x', port: 0, passwort: 'sesame' } });
  expect((body as { message: string }).message).toBe(
    'The field host is missing. The field database is missing. ' +
      'The field passwort is unknown (known: name, vendor, host, port, database, username, password, properties). ' +
      'The field vendor must be postgresql. The field port must be a whole number from 1 to 65535.',
  );
});
