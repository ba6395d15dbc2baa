import { createNetworkGuard } from '@svc/network-guard';
import { createTestDatabase, createTestRole, type TestDatabase, type TestRole } from '@svc/test-kit';

import type { PgAccess } from './pg-access.ts';
import { PgConnections } from './pg-connections.ts';
import { openTlsServer, type TlsServer } from './testing/tls-server.ts';

let database: TestDatabase;
let role: TestRole;
let server: TlsServer;
let connections: PgConnections;

beforeAll(async () => {
  database = await createTestDatabase();
  role = await createTestRole(database.url);
  const { hostname: host, port } = new URL(database.url);
  server = await openTlsServer({ host, port: Number(port) });
  connections = new PgConnections({ guard: createNetworkGuard({ allow: ['127.0.0.1', '::1'] }), statementTimeoutMs: 60_000 });
});

afterAll(async () => {
  await connections.close();
  await server.close();
  await role.drop();
  await database.drop();
});

let asked = 0;

/** Returns whether the connection was secured, or the message of the failure. */
async function ask(properties: PgAccess['properties'], host = 'localhost'): Promise<boolean | string> {
  asked += 1;
  const { pathname } = new URL(database.url);
  const access = {
    ...{ server: 'shop', host, port: server.port, database: pathname.slice(1), username: role.name, password: role.password },
    properties,
    identity: String(asked),
  };
  const before = server.secured();
  const work = connections.transaction(access, new AbortController().signal, async ({ client }) => client.query('SELECT 1'));
  return work.then(
    () => server.secured() > before,
    (thrown: unknown) => String(thrown),
  );
}

const UNTRUSTED = expect.stringContaining('the database server offers no TLS connection that can be trusted');

test('a server that has TLS is reached by TLS, unless that is turned off', async () => {
  expect(await ask({})).toBe(true);
  expect(await ask({ sslmode: 'require' }, '127.0.0.1')).toBe(true);
  expect(await ask({ sslmode: 'disable' })).toBe(false);
});

test('verify-full trusts the certificate that was told, of the host that was told', async () => {
  const { certificate, otherCertificate } = server;
  expect(await ask({ sslmode: 'verify-full', sslrootcert: certificate })).toBe(true);
  expect(await ask({ sslmode: 'verify-full', sslrootcert: otherCertificate })).toEqual(UNTRUSTED);
  expect(await ask({ sslmode: 'verify-full', sslrootcert: certificate }, '127.0.0.1')).toEqual(UNTRUSTED);
  expect(await ask({ sslmode: 'verify-full' })).toEqual(UNTRUSTED);
});

test('verify-ca trusts the certificate that was told, of any host', async () => {
  const { certificate, otherCertificate } = server;
  expect(await ask({ sslmode: 'verify-ca', sslrootcert: certificate }, '127.0.0.1')).toBe(true);
  expect(await ask({ sslmode: 'verify-ca', sslrootcert: otherCertificate })).toEqual(UNTRUSTED);
});
