import { execFile } from 'node:child_process';
import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openDatabase } from '@svc/database';
import { createTestBucket, createTestDatabase, createTestRole, openFileHost, testAuthorization } from '@svc/test-kit';

import { freeSettings, processesOf, startStack, tokenOf, until } from './stack.ts';

const run = promisify(execFile);
const PAGE = await readFile(join(import.meta.dirname, '../../docs/credentials.md'), 'utf8');
const PRELUDE = /```sh\n([\s\S]*?)\n```/.exec(PAGE)?.[1] ?? '';
const SHOWN = [...PAGE.matchAll(/```sh\n((?:(?!```)[\s\S])*)\n```\n\n```text\n((?:(?!```)[\s\S])*)```/g)].map(
  ([, commands = '', expected = '']) => ({ commands, expected }),
);

const FILEHOST_TOKEN = `sl.${randomUUID()}`;

const closers: (() => Promise<unknown>)[] = [];
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-page-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const sources = await openSources();
  const settings = await freeSettings(join(folder, 'data'));
  const stack = startStack({ ...settings, SVC_S3_ENDPOINT: sources.s3Endpoint, SVC_FILEHOST_URL: sources.fileHostUrl });
  closers.push(async () => {
    stack.process.kill('SIGTERM');
    await stack.ended;
    await until('no process is left', async () => (await processesOf(folder)).length === 0);
  });
  await stack.ready;
  const at = (area: string): string => `http://127.0.0.1:${String((settings as Readonly<Record<string, string>>)[`SVC_${area}_PORT`])}`;
  env = {
    PATH: process.env['PATH'] ?? '',
    CREDENTIALS: at('CREDENTIALS'),
    EXECUTOR: at('EXECUTOR'),
    TOKEN: (await tokenOf(settings, '--sub', 'reader')).trim(),
    ...sources.env,
  };
});

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

test('every command of the page is followed by what it prints', () => {
  expect(SHOWN.length).toBeGreaterThan(4);
  // The first block defines what the others use.
  expect([...PAGE.matchAll(/```sh\n/g)]).toHaveLength(SHOWN.length + 1);
});

test.each(SHOWN)('$commands', async ({ commands, expected }) => {
  const { stdout } = await run('bash', ['-c', `${PRELUDE}\n${commands}`], { env });
  expect(stdout).toBe(expected);
});

/** Opens the four sources of the page, each behind credentials of its own. */
async function openSources() {
  const [bucket, crm, api, host] = await Promise.all([createTestBucket(), openCrm(), openApi(), openFileHost()]);
  closers.push(() => host.close());
  await bucket.put('orders.csv', 'id,customer,amount,currency\n1,1,100,USD\n2,2,50,EUR\n3,1,250,USD\n');
  host.token(FILEHOST_TOKEN);
  host.put('/sales/notes.csv', 'id,note\n2,call back\n');
  return {
    s3Endpoint: bucket.endpoint,
    fileHostUrl: host.origin,
    env: {
      BUCKET: bucket.name,
      ACCESS_KEY: bucket.accessKey,
      SECRET_KEY: bucket.secretKey,
      FILEHOST_TOKEN,
      ...crm,
      ...api,
    },
  };
}

async function openCrm(): Promise<Readonly<Record<string, string>>> {
  const { url, drop } = await createTestDatabase();
  closers.push(drop);
  const role = await createTestRole(url);
  const database = openDatabase({ url, applicationName: 'test' });
  await database.session(async (client) => {
    await client.query('CREATE TABLE customers (id bigint, name text)');
    await client.query(`INSERT INTO customers VALUES (1, 'Ada'), (2, 'Grace')`);
    await client.query(`GRANT SELECT ON customers TO ${role.name}`);
  });
  closers.push(async () => {
    await database.session((client) => client.query(`REVOKE ALL ON customers FROM ${role.name}`));
    await database.close();
    await role.drop();
  });
  const { hostname, port, pathname } = new URL(url);
  return { DB_HOST: hostname, DB_PORT: port, DB_NAME: pathname.slice(1), DB_USER: role.name, DB_PASSWORD: role.password };
}

/** Opens an API that requires a token of the authorization server. */
async function openApi(): Promise<Readonly<Record<string, string>>> {
  const { issuer, client, key } = await testAuthorization();
  const publicKey = createPublicKey({ key: { kty: 'RSA', n: key.n ?? '', e: key.e ?? '' }, format: 'jwk' });
  const isSigned = (token: string): boolean => {
    const [head = '', body = '', signature = ''] = token.split('.');
    return verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'));
  };
  const server: Server = createServer((req, res) => {
    const isKnown = isSigned(req.headers.authorization?.replace('Bearer ', '') ?? '');
    res.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    res.end(isKnown ? '[{"currency": "USD", "rate": 0.92}, {"currency": "EUR", "rate": 1.0}]' : '{"error": "no token"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => server.close());
  const { port } = server.address() as AddressInfo; // a listening TCP server has this kind of address
  return { API: `http://127.0.0.1:${port}`, CLIENT_ID: client.id, CLIENT_SECRET: client.secret, TOKEN_URL: `${issuer}/token` };
}
