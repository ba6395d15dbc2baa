import { execFile } from 'node:child_process';
import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openDatabase } from '@svc/database';
import { createTestBucket, createTestDatabase, createTestRole, openFileHost, testAuthorization } from '@svc/test-kit';

import type { CliWorld } from './cli-world.ts';

const run = promisify(execFile);
const PAGE = await readFile(join(import.meta.dirname, '../../../docs/credentials.md'), 'utf8');
const PRELUDE = /```sh\n([\s\S]*?)\n```/.exec(PAGE)?.[1] ?? '';
const SHOWN = [...PAGE.matchAll(/```sh\n((?:(?!```)[\s\S])*)\n```\n\n```text\n((?:(?!```)[\s\S])*)```/g)].map(
  ([, commands = '', expected = '']) => ({ commands, expected }),
);

const FILEHOST_TOKEN = `sl.${randomUUID()}`;

/** Systems outside of the stack, each behind credentials of its own. */
export interface PageSources {
  /** Settings of a stack that reaches them. */
  readonly settings: Readonly<Record<string, string>>;
  /** Environment of the page's commands. */
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Tests of docs/credentials.md with the sources that the stack reaches: any shell, without the command line. */
export function credentialsPageTests(world: () => CliWorld, sources: () => PageSources): void {
  test('every command of the page is followed by what it prints', () => {
    expect(SHOWN.length).toBeGreaterThan(4);
    // The first block defines what the others use.
    expect([...PAGE.matchAll(/```sh\n/g)]).toHaveLength(SHOWN.length + 1);
  });

  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const { urls, tokenOf } = world();
    env = {
      PATH: process.env['PATH'] ?? '',
      CREDENTIALS: urls.credentials,
      EXECUTOR: urls.executor,
      TOKEN: await tokenOf('--sub', 'reader'),
      ...sources().env,
    };
  });

  test.each(SHOWN)('$commands', async ({ commands, expected }) => {
    const { stdout } = await run('bash', ['-c', `${PRELUDE}\n${commands}`], { env });
    expect(stdout).toBe(expected);
  });
}

/** Opens the four sources of the page. */
export async function openPageSources(): Promise<PageSources> {
  const [bucket, crm, api, host] = await Promise.all([createTestBucket(), openCrm(), openApi(), openFileHost()]);
  await bucket.put('orders.csv', 'id,customer,amount,currency\n1,1,100,USD\n2,2,50,EUR\n3,1,250,USD\n');
  host.token(FILEHOST_TOKEN);
  host.put('/sales/notes.csv', 'id,note\n2,call back\n');
  return {
    settings: { SVC_S3_ENDPOINT: bucket.endpoint, SVC_FILEHOST_URL: host.origin },
    env: {
      BUCKET: bucket.name,
      ACCESS_KEY: bucket.accessKey,
      SECRET_KEY: bucket.secretKey,
      FILEHOST_TOKEN,
      ...crm.env,
      ...api.env,
    },
    close: async () => {
      for (const source of [host, api, crm]) await source.close();
    },
  };
}

type PageSource = Pick<PageSources, 'env' | 'close'>;

async function openCrm(): Promise<PageSource> {
  const { url, drop } = await createTestDatabase();
  const role = await createTestRole(url);
  const database = openDatabase({ url, applicationName: 'test' });
  await database.session(async (client) => {
    await client.query('CREATE TABLE customers (id bigint, name text)');
    await client.query(`INSERT INTO customers VALUES (1, 'Ada'), (2, 'Grace')`);
    await client.query(`GRANT SELECT ON customers TO ${role.name}`);
  });
  const { hostname, port, pathname } = new URL(url);
  return {
    env: { DB_HOST: hostname, DB_PORT: port, DB_NAME: pathname.slice(1), DB_USER: role.name, DB_PASSWORD: role.password },
    close: async () => {
      await database.session((client) => client.query(`REVOKE ALL ON customers FROM ${role.name}`));
      await database.close();
      await role.drop();
      await drop();
    },
  };
}

/** Opens an API that requires a token of the authorization server. */
async function openApi(): Promise<PageSource> {
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
  const { port } = server.address() as AddressInfo; // a listening TCP server has this kind of address
  return {
    env: { API: `http://127.0.0.1:${port}`, CLIENT_ID: client.id, CLIENT_SECRET: client.secret, TOKEN_URL: `${issuer}/token` },
    close: async () => void server.close(),
  };
}
