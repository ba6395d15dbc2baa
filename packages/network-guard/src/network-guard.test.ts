import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';

import { isAddressNotAllowed } from './address-not-allowed.ts';
import type { ResolveAll } from './guarded-lookup.ts';
import { createNetworkGuard, type NetworkGuard } from './network-guard.ts';

let server: http.Server;
let port: number;
let connections: number;
let guards: NetworkGuard[];

beforeEach(async () => {
  connections = 0;
  guards = [];
  server = http.createServer((_req, res) => res.end('inside'));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  for (const guard of guards) guard.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A resolver whose successive lookups, of any name, return the given results. */
function answering(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolveAll: ResolveAll = (hostname, _options, callback) => {
    const answer = answers[asked.length] ?? [];
    asked.push(hostname);
    callback(
      null,
      answer.map((address) => ({ address, family: net.isIP(address) })),
    );
  };
  return { asked, resolveAll };
}

function aGuard(allow: readonly string[], resolveAll?: ResolveAll): NetworkGuard {
  const guard = createNetworkGuard({ allow, ...(resolveAll && { resolveAll }) });
  guards.push(guard);
  return guard;
}

async function get(guard: NetworkGuard, host: string, options: http.RequestOptions = {}): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http.get({ host, port, agent: guard.httpAgent, ...options }, resolve).on('error', reject);
  const chunks: Buffer[] = [];
  for await (const chunk of (await promise) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function failureOf(pending: Promise<unknown>): Promise<unknown> {
  try {
    await pending;
  } catch (error) {
    return error;
  }
  return undefined;
}

async function connected(socket: Socket): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('connect', resolve).once('error', reject);
  await promise;
  return socket;
}

describe('an address that is not allowed is never connected to', () => {
  test.each(['127.0.0.1', '::ffff:127.0.0.1', 'localhost', '2130706433', '127.1', '0'])('as the host %s', async (host) => {
    const error = await failureOf(get(aGuard([]), host));

    expect(isAddressNotAllowed(error)).toBe(true);
    expect(connections).toBe(0);
  });

  test('as a name of somebody else that means it', async () => {
    const { resolveAll } = answering(['127.0.0.1']);

    const error = await failureOf(get(aGuard([], resolveAll), 'evil.example'));

    expect(String(error)).toBe(
      'AddressNotAllowed: The address of "evil.example" is not allowed: it is not a public one, and the operator has not listed it.',
    );
    expect(connections).toBe(0);
  });

  test('by a socket of the factory, plain or with TLS', async () => {
    for (const tls of [undefined, {}]) {
      const error = await failureOf(connected(aGuard([]).connect({ host: '127.0.0.1', port, ...(tls && { tls }) })));
      expect(isAddressNotAllowed(error)).toBe(true);
    }
    expect(connections).toBe(0);
  });

  test('by https', async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    https.get({ host: '127.0.0.1', port, agent: aGuard([]).httpsAgent }).on('error', reject);

    expect(isAddressNotAllowed(await failureOf(promise))).toBe(true);
    expect(connections).toBe(0);
  });

  test('by the path of a local socket', async () => {
    const error = await failureOf(get(aGuard(['127.0.0.0/8']), 'localhost', { socketPath: '/var/run/postgresql/.s.PGSQL.5432' }));

    expect(isAddressNotAllowed(error)).toBe(true);
  });
});

describe('an allowed address is connected to', () => {
  test.each(['127.0.0.1', 'localhost'])('as the host %s', async (host) => {
    expect(await get(aGuard(['127.0.0.0/8']), host)).toBe('inside');
  });

  test('where a name has others too', async () => {
    const { resolveAll } = answering(['169.254.169.254', '127.0.0.1', '::1']);

    expect(await get(aGuard(['127.0.0.0/8'], resolveAll), 'both.example')).toBe('inside');
  });

  test('by a socket of the factory', async () => {
    const socket = await connected(aGuard(['127.0.0.0/8']).connect({ host: 'localhost', port }));

    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  test('with TLS, under the name that was asked for', async () => {
    const { promise: hello, resolve } = Promise.withResolvers<Buffer>();
    const raw = net.createServer((socket) =>
      socket
        .once('data', (bytes) => {
          resolve(bytes);
          socket.destroy();
        })
        .on('error', () => undefined),
    );
    await new Promise<void>((listening) => raw.listen(0, '127.0.0.1', listening));
    const { resolveAll } = answering(['127.0.0.1']);

    const socket = aGuard(['127.0.0.0/8'], resolveAll).connect({ host: 'db.example', port: (raw.address() as AddressInfo).port, tls: {} });
    socket.on('error', () => undefined);

    // The first byte of a TLS handshake, and the server's name in clear text.
    expect([...(await hello).subarray(0, 1)]).toEqual([0x16]);
    expect((await hello).toString('latin1')).toContain('db.example');
    await new Promise((closed) => raw.close(closed));
  });
});

describe('an agent for undici', () => {
  test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433'])('does not reach %s where that is not allowed', async (host) => {
    const agent = aGuard([]).createAgent();

    const error = await failureOf(agent.request({ origin: `http://${host}:${port}`, path: '/', method: 'GET' }));

    expect(isAddressNotAllowed(error)).toBe(true);
    expect(connections).toBe(0);
    await agent.close();
  });

  test('reaches what is allowed, and looks a name up once for each connection', async () => {
    const { asked, resolveAll } = answering(['127.0.0.1'], ['127.0.0.2']);
    const agent = aGuard(['127.0.0.1'], resolveAll).createAgent();

    const answer = await agent.request({ origin: `http://inside.example:${port}`, path: '/', method: 'GET' });

    expect(await answer.body.text()).toBe('inside');
    expect(asked).toEqual(['inside.example']);
    await agent.close();
  });
});

test('a name that changes its meaning gains nothing: one look-up for each connection, and what it said is used', async () => {
  const { asked, resolveAll } = answering(['127.0.0.1'], ['127.0.0.2']);
  const guard = aGuard(['127.0.0.1'], resolveAll);

  expect(await get(guard, 'rebinding.example', { headers: { connection: 'close' } })).toBe('inside');
  expect(asked).toEqual(['rebinding.example']);
  expect(isAddressNotAllowed(await failureOf(get(guard, 'rebinding.example')))).toBe(true);
  expect(asked).toHaveLength(2);
});

test('a name that does not exist fails with the name service’s own error', async () => {
  const resolveAll: ResolveAll = (_hostname, _options, callback) => callback(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), []);

  const error = await failureOf(get(aGuard([], resolveAll), 'nowhere.example'));

  expect(error).toMatchObject({ code: 'ENOTFOUND' });
  expect(isAddressNotAllowed(error)).toBe(false);
});

test('an entry that is no network is refused', () => {
  expect(() => aGuard(['10.0.0.0/8', 'intranet'])).toThrow('"intranet" is no network');
});
