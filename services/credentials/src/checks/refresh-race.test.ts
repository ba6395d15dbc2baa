import { setTimeout as delay } from 'node:timers/promises';

import { CredentialEventStore, CredentialStore, migrate, openDatabase } from '@svc/database';
import { createNetworkGuard } from '@svc/network-guard';
import { createCredentialChecks } from '@svc/sources';
import { createTestDatabase, eventually, openHttpServer, openTcpProxy, type HttpServer } from '@svc/test-kit';
import { createCredentialReader, createVault, Credentials } from '@svc/vault';

const MASTER_KEY = Buffer.from('0123456789abcdef0123456789abcdef');

/** An API whose access tokens expire on demand, and whose refresh tokens are valid once: reuse revokes the grant. */
interface StrictApi {
  readonly server: HttpServer;
  readonly expire: () => void;
  readonly refreshToken: () => string;
  readonly exchanges: () => number;
}

async function openStrictApi(onExchange: () => void = () => undefined): Promise<StrictApi> {
  const server = await openHttpServer();
  let [generation, isExpired, isRevoked, exchanges] = [0, true, false, 0];
  server.answer((request, response) => {
    if (request.url !== '/token') {
      const isGood = !isExpired && !isRevoked && request.headers.authorization === `Bearer access-${generation}`;
      response.writeHead(isGood ? 200 : 401).end('{}');
      return;
    }
    exchanges += 1;
    onExchange();
    isRevoked ||= new URLSearchParams(request.body).get('refresh_token') !== `refresh-${generation}`;
    if (!isRevoked) [generation, isExpired] = [generation + 1, false];
    const token = { token_type: 'bearer', access_token: `access-${generation}`, refresh_token: `refresh-${generation}` };
    // Long enough for another process to present the old token.
    void delay(30).then(() =>
      response
        .writeHead(isRevoked ? 400 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(isRevoked ? { error: 'invalid_grant' } : token)),
    );
  });
  return { server, expire: () => void (isExpired = true), refreshToken: () => `refresh-${generation}`, exchanges: () => exchanges };
}

/** The state of one process: connections, tokens, caches. */
function aProcess(url: string) {
  const database = openDatabase({ url, applicationName: 'test', connectTimeoutMs: 60_000 });
  const parts = {
    store: new CredentialStore(database),
    events: new CredentialEventStore(database),
    vault: createVault({ masterKey: MASTER_KEY }),
  };
  const reader = createCredentialReader({ ...parts, onFailure: () => undefined });
  const networkGuard = createNetworkGuard({ allow: ['127.0.0.1'] });
  const checks = createCredentialChecks({ networkGuard, endpoints: {}, credentials: reader });
  const close = async (): Promise<void> => {
    await checks.close();
    networkGuard.close();
    await reader.close();
    await database.close();
  };
  return { credentials: new Credentials(parts), reader, checks, close };
}

test('a refresh token that is good once is used once, by however many processes, and the newest is stored', async () => {
  const [api, { url, drop }] = [await openStrictApi(), await createTestDatabase({ migrate })];
  const processes = [aProcess(url), aProcess(url)];
  const [first] = processes;
  const { origin } = api.server;
  const secret = { type: 'oauth-token', token: 'access-0', refreshToken: 'refresh-0', tokenUrl: `${origin}/token` } as const;
  await first?.credentials.register({ subject: 'ann', kind: 'http-credential', name: origin }, secret);
  for (let round = 1; round <= 3; round += 1) {
    api.expire();
    const asked = { subject: 'ann', name: origin, signal: AbortSignal.timeout(30_000) };
    const outcomes = await Promise.all([...processes, ...processes, ...processes].map(async ({ checks }) => checks.httpCredential(asked)));
    expect(outcomes).toEqual(outcomes.map(() => ({ ok: true })));
    expect(api.exchanges()).toBe(round);
    const stored = (await first?.reader.httpCredential('ann', new URL(origin)))?.secret;
    expect(stored).toMatchObject({ token: `access-${round}`, refreshToken: api.refreshToken() });
  }
  for (const { close } of processes) await close();
  await api.server.close();
  await drop();
});

test('a refresh token that arrives while PostgreSQL is away is stored once it is back', async () => {
  const { url, drop } = await createTestDatabase({ migrate });
  const { hostname: host, port } = new URL(url);
  const proxy = await openTcpProxy({ host, port: Number(port) });
  const api = await openStrictApi(() => {
    proxy.setFault({ afterBytes: 0, kind: 'die' });
    proxy.cut();
    const lost = proxy.connections();
    void eventually(() => expect(proxy.connections()).toBeGreaterThan(lost + 1)).then(() => proxy.setFault(null));
  });
  const { origin } = api.server;
  const cut = aProcess(Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href);
  const secret = { type: 'oauth-token', token: 'access-0', refreshToken: 'refresh-0', tokenUrl: `${origin}/token` } as const;
  await cut.credentials.register({ subject: 'ann', kind: 'http-credential', name: origin }, secret);

  const outcome = await cut.checks.httpCredential({ subject: 'ann', name: origin, signal: AbortSignal.timeout(30_000) });

  expect([outcome, api.exchanges()]).toEqual([{ ok: true }, 1]);
  const stored = (await cut.reader.httpCredential('ann', new URL(origin)))?.secret;
  expect(stored).toMatchObject({ token: 'access-1', refreshToken: 'refresh-1' });
  await cut.close();
  await Promise.all([api.server.close(), proxy.close()]);
  await drop();
});
