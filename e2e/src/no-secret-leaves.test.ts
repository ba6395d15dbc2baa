import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openDatabase, type Database } from '@svc/database';
import { findRunningPostgres } from '@svc/local-stack';
import { createTestBucket, createTestDatabase, createTestRole, type TestBucket } from '@svc/test-kit';

import { freeSettings, processesOf, startStack, tokenOf, until, type Stack, type StackSettings } from './stack.ts';

const run = promisify(execFile);

/** A unique text per secret field. */
const SECRETS = new Map<string, string>();
const secret = (field: string): string => {
  const known = SECRETS.get(field) ?? `canary${randomBytes(12).toString('hex')}`;
  SECRETS.set(field, known);
  return known;
};

let folder: string;
let spool: string;
let settings: StackSettings;
let stack: Stack;
let token: string;
let bucket: TestBucket;
let upstream: Server;
let origin: string;
let servers: { readonly url: string; readonly drop: () => Promise<void> };
let role: { readonly name: string; readonly password: string; readonly drop: () => Promise<void> };
/** Data received by the systems that the credentials are for. */
let sent = '';
/** All responses, except those to the owner who requested one credential. */
let answers = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-canary-'));
  spool = join(folder, 'spool');
  await mkdir(spool);
  bucket = await createTestBucket();
  servers = await createTestDatabase();
  role = await createTestRole(servers.url);
  SECRETS.set('password of a role', role.password);
  upstream = createServer(answerUpstream).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`; // a listening TCP server has this kind of address
  settings = await freeSettings(join(folder, 'data'));
  stack = startStack({
    ...settings,
    SVC_SPOOL_DIR: spool,
    SVC_LOG_LEVEL: 'trace',
    SVC_S3_ENDPOINT: bucket.endpoint,
    SVC_FILEHOST_URL: `${origin}/filehost/`,
  });
  await stack.ready;
  token = (await tokenOf(settings, '--sub', 'ann')).trim();
  await registerAll();
});

afterAll(async () => {
  stack.process.kill('SIGTERM');
  await stack.ended;
  await until('no process is left', async () => (await processesOf(folder)).length === 0);
  upstream.close();
  await role.drop();
  await servers.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A system that echoes its requests, as faulty ones do. */
function answerUpstream(req: IncomingMessage, res: ServerResponse): void {
  const pieces: Buffer[] = [];
  req.on('data', (piece: Buffer) => pieces.push(piece));
  req.on('end', () => {
    const { authorization = '' } = req.headers;
    const body = Buffer.concat(pieces).toString();
    sent += `${req.url} ${authorization} ${body} ${Buffer.from(authorization.split(' ')[1] ?? '', 'base64').toString()}\n`;
    const type = { 'content-type': 'application/json' };
    if (req.url === '/token') {
      const refreshed = { access_token: secret('a refreshed token'), refresh_token: secret('a new refresh token'), token_type: 'bearer' };
      res.writeHead(200, type).end(JSON.stringify(refreshed));
    } else if (req.url?.startsWith('/good') === true || authorization === `Bearer ${secret('a refreshed token')}`)
      res.writeHead(200, type).end('[{"n": 1}]');
    else
      res.writeHead(401, { ...type, 'www-authenticate': `Bearer error="${authorization}"` }).end(JSON.stringify({ authorization, body }));
  });
}

async function ask(service: 'CREDENTIALS' | 'EXECUTOR', method: string, path: string, body?: object | string): Promise<Response> {
  const type = typeof body === 'object' ? 'application/json' : 'text/plain';
  return fetch(`http://127.0.0.1:${String(settings[`SVC_${service}_PORT`])}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
    ...(body === undefined ? {} : { body: typeof body === 'object' ? JSON.stringify(body) : body }),
  });
}

async function keep(answer: Response): Promise<number> {
  answers += `${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}\n`;
  return answer.status;
}

const credentials = async (method: string, path: string, body?: object | string): Promise<number> =>
  keep(await ask('CREDENTIALS', method, path, body));
const query = async (text: string, path = '/query'): Promise<number> => keep(await ask('EXECUTOR', 'POST', path, text));

/** Registers one credential of each kind, and rejected variants. */
async function registerAll(): Promise<void> {
  const http = (path: string, of: object): readonly [string, object] => ['/http-creds', { prefixUrl: `${origin}${path}`, credentials: of }];
  const { hostname, port, pathname } = new URL(servers.url);
  const server = { vendor: 'postgresql', host: hostname, port: Number(port), database: pathname.slice(1), username: role.name };
  const bodies: readonly (readonly [string, object])[] = [
    [
      '/objbuckets',
      { name: bucket.name, region: bucket.region, credentials: { accessKey: secret('accessKey'), secretKey: secret('secretKey') } },
    ],
    ['/rdbmsservers', { ...server, name: 'refuses', password: secret('password of a server') }],
    ['/rdbmsservers', { ...server, name: 'accepts', password: role.password }],
    ['/filehost-tokens', { accessToken: secret('accessToken'), tokenType: 'bearer', uid: '1' }],
    http('/good', { type: 'basic-auth', user: 'u', password: secret('password') }),
    http('/bad', { type: 'basic-auth', user: 'u', password: secret('another password') }),
    http('/client', { type: 'oauth-client', clientId: 'c', clientSecret: secret('clientSecret'), tokenUrl: `${origin}/token` }),
    http('/refresh', {
      type: 'oauth-token',
      token: secret('token'),
      refreshToken: secret('refreshToken'),
      tokenUrl: `${origin}/token`,
    }),
    http('/stale', { type: 'oauth-token', token: secret('another token') }),
  ];
  for (const [path, body] of bodies) {
    expect(await credentials('POST', path, body)).toBe(201);
    expect(await credentials('POST', path, body)).toBe(400);
    expect(await credentials('POST', path, { ...body, unknown: 1 })).toBe(400);
    expect(await credentials('POST', path, `${JSON.stringify(body)} and more`)).toBe(415);
    const [field = ''] = Object.keys(body);
    expect(await credentials('POST', path, { ...body, [field]: 5 })).toBe(400);
  }
}

const QUERIES = (): readonly string[] => [
  `READ("s3://${bucket.name}/a.csv")`,
  `LS("s3://${bucket.name}/")`,
  'READ_PGSQL("refuses", "public", "t")',
  'QUERY_PGSQL("accepts", "SELECT 1 AS one")',
  'QUERY_PGSQL("accepts", "SELECT nothing")',
  'READ("filehost:/a.csv")',
  ...['/good/a', '/bad/a', '/client/a', '/refresh/a', '/stale/a'].map((path) => `READ_JSON("${origin}${path}")`),
  `READ("${origin}/bad/a.csv")`,
];

async function use(): Promise<void> {
  for (const text of QUERIES()) {
    await query(text);
    await query(`DESCRIBE(${text.replace(/^LS\(/, 'READ(')})`);
    await query(text, '/query-validate');
  }
  for (const path of ['/credentials', '/credential-events', '/objbuckets', '/rdbmsservers', '/http-creds', '/openapi.json'])
    expect(await credentials('GET', path)).toBe(200);
  for (const path of [`/objbuckets/${bucket.name}`, '/rdbmsservers/refuses', '/rdbmsservers/accepts', '/filehost-tokens'])
    expect(await credentials('POST', `${path}/check`)).toBe(200);
  for (const path of ['/good', '/bad', '/client', '/refresh', '/stale'])
    expect(await credentials('POST', `/http-creds/${encodeURIComponent(origin + path)}/check`)).toBe(200);
}

/** Returns the forms in which a text may occur in a file, a response or a dump. */
function formsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  // Base64 of a text within other bytes depends on its offset.
  const shifted = [0, 1, 2].map((at) =>
    Buffer.concat([Buffer.alloc(at), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  return [text, bytes.toString('hex'), encodeURIComponent(text), ...shifted];
}

function found(where: string, content: string | Buffer): readonly string[] {
  const bytes = Buffer.from(content);
  return [...SECRETS].filter(([, text]) => formsOf(text).some((form) => bytes.includes(form))).map(([field]) => `${field} in ${where}`);
}

async function foundInFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // A file may have been deleted meanwhile.
  const contents = await Promise.all(files.map(async (path) => [path, await readFile(path).catch(() => '')] as const));
  return contents.flatMap(([path, content]) => found(path, content));
}

async function withDatabase<Result>(use: (database: Database) => Promise<Result>): Promise<Result> {
  const url = await findRunningPostgres(settings.SVC_DATA_DIR);
  const database = openDatabase({ url: url ?? '', applicationName: 'test' });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

async function dump(): Promise<string> {
  return withDatabase((database) =>
    database.session(async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
      );
      const dumped = [];
      for (const { name } of tables) dumped.push(name, JSON.stringify((await client.query(`SELECT t::text FROM ${name} t`)).rows));
      return dumped.join('\n');
    }),
  );
}

test('no secret stands in a log, an answer, a metric, the spool, a command line, the database or its files', async () => {
  await use();

  // Proves that the search works: the other systems received the secrets, and their owner is shown them.
  for (const field of ['password', 'another password', 'clientSecret', 'token', 'refreshToken', 'accessToken'])
    expect([field, found('sent', sent).length > 0 && sent.includes(secret(field))]).toEqual([field, true]);
  expect(found('detail', await (await ask('CREDENTIALS', 'GET', `/objbuckets/${bucket.name}`)).text())).toHaveLength(2);
  const dumped = await dump();
  expect(dumped).toContain(bucket.name);

  const metrics = await Promise.all(
    ['EXECUTOR', 'CREDENTIALS'].map(async (area) =>
      (await fetch(`http://127.0.0.1:${String(settings[`SVC_${area}_ADMIN_PORT`])}/metrics`)).text(),
    ),
  );
  const { stdout: commands } = await run('ps', ['-eo', 'args=']);
  expect([
    ...found('answers', answers),
    ...found('log', stack.output()),
    ...found('metrics', metrics.join('\n')),
    ...found('command lines', commands),
    ...found('dump', dumped),
    ...(await foundInFiles(spool)),
    ...(await foundInFiles(settings.SVC_DATA_DIR)),
  ]).toEqual([]);
});

test('a credential that cannot be decrypted is an error of what uses it, which names it, and of nothing else', async () => {
  await withDatabase((database) =>
    database.db
      .updateTable('credentials')
      .set({ sealed: Buffer.from('changed') })
      .where('shown_name', '=', 'refuses')
      .execute(),
  );
  const unreadable = {
    code: 'credentials_unreadable',
    message: 'The stored credentials of the database server "refuses" cannot be decrypted. Delete them and register them again.',
  };
  const refused = [
    await ask('EXECUTOR', 'POST', '/query', 'READ_PGSQL("refuses", "public", "t")'),
    await ask('EXECUTOR', 'POST', '/query-validate', 'READ_PGSQL("refuses", "public", "t")'),
    await ask('CREDENTIALS', 'GET', '/rdbmsservers/refuses'),
    await ask('CREDENTIALS', 'POST', '/rdbmsservers/refuses/check'),
  ];
  for (const answer of refused) expect([answer.status, await answer.json()]).toEqual([500, unreadable]);
  const good = await ask('EXECUTOR', 'POST', '/query', 'QUERY_PGSQL("accepts", "SELECT 1 AS one")');
  expect([good.status, await good.text()]).toEqual([200, '{"one":1}\n']);
  expect((await ask('CREDENTIALS', 'GET', '/credentials')).status).toBe(200);
  expect((await ask('CREDENTIALS', 'DELETE', '/rdbmsservers/refuses')).status).toBe(204);
});
