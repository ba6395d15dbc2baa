import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import { createLogger } from '../logging/logger.ts';
import { createHttpMetrics } from '../metrics/http-metrics.ts';
import { createExampleApp } from '../testing/example-app.ts';
import { startService, type ServiceOptions } from './start-service.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

const answerOk: RequestListener = (_req, res) => res.end('ok');

function options(changes: Partial<ServiceOptions> = {}): ServiceOptions {
  const { registry } = createHttpMetrics();
  return {
    name: 'test',
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    listener: answerOk,
    registry,
    checks: {},
    resources: [],
    logger,
    ...changes,
  };
}

async function openSocket(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('a service answers on both ports, and on neither after it stopped', async () => {
  const service = await startService(options());

  expect(await (await fetch(service.url)).text()).toBe('ok');
  expect((await fetch(`${service.adminUrl}/ready`)).status).toBe(200);
  expect(await service.stop()).toBe(true);
  await expect(fetch(service.url)).rejects.toThrow('fetch failed');
  await expect(fetch(service.adminUrl)).rejects.toThrow('fetch failed');
});

test('a request that runs is answered before the resources are closed, in their order', async () => {
  const events: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const service = await startService(
    options({
      listener: (_req, res) => {
        arrive();
        void released.then(() => {
          events.push('answered');
          res.end('late');
        });
      },
      resources: ['engine', 'database'].map((name) => ({ name, close: async () => void events.push(name) })),
    }),
  );
  const answer = fetch(service.url);
  await arrived;

  const stopped = service.stop();
  const ready = await fetch(`${service.adminUrl}/ready`);
  await expect(fetch(service.url)).rejects.toThrow('fetch failed');
  release();

  expect(ready.status).toBe(503);
  expect([(await answer).headers.get('connection'), await (await answer).text()]).toEqual(['close', 'late']);
  expect(await stopped).toBe(true);
  expect(events).toEqual(['answered', 'engine', 'database']);
});

test('a service that stops answers the next request on a kept connection, as its last', async () => {
  const service = await startService(options({ unreadyMs: 200 }));
  const socket = await openSocket(service.url);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');

  const stopped = service.stop();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');

  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n[^]*ok/);
  expect(await stopped).toBe(true);
});

test('idle connections do not hold up the stop', async () => {
  // Longer than the timeout of this test.
  const service = await startService(options({ drainTimeoutMs: 60_000 }));
  const socket = await openSocket(service.url);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));

  expect(await service.stop()).toBe(true);
});

test('a request that outlasts the drain is cut off, and a resource that hangs is passed over', async () => {
  const closed: string[] = [];
  const service = await startService(
    options({
      listener: () => undefined,
      drainTimeoutMs: 50,
      resources: [
        { name: 'hangs', close: () => new Promise(() => undefined), timeoutMs: 20 },
        { name: 'database', close: async () => void closed.push('database') },
      ],
    }),
  );
  const answer = fetch(service.url);
  const outcome = answer.catch((error: unknown) => String(error));

  expect(await service.stop()).toBe(false);
  expect(await outcome).toContain('fetch failed');
  expect(closed).toEqual(['database']);
});

test('resources that all wait for a server that hangs do not add up, and one that does not is still closed', async () => {
  const closed: string[] = [];
  const hang = { close: () => new Promise<void>(() => undefined), timeoutMs: 60_000 };
  const resources = ['rows', 'scans', 'database'].map((name) => ({ name, ...hang }));
  const spool = { name: 'spool', close: async () => void closed.push('spool') };
  const service = await startService(options({ stopTimeoutMs: 100, resources: [...resources, spool] }));
  const startedAt = performance.now();

  expect(await service.stop()).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(closed).toEqual(['spool']);
});

test('a port in use is one clear line, and nothing is left open', async () => {
  const other = createServer(answerOk);
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const closed: string[] = [];
  const resources = [{ name: 'database', close: async () => void closed.push('database') }];

  const start = startService(options({ port, resources }));

  await expect(start).rejects.toThrow(`test cannot listen on 127.0.0.1 port ${port}: the port is in use by another process`);
  expect(closed).toEqual(['database']);
  await new Promise((resolve) => other.close(resolve));
});

describe('clients that are slow or speak no HTTP', () => {
  test.each([
    ['a head that does not end', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['a body that does not end', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc'],
  ])('%s is answered 408 after the limit', async (_name, message) => {
    const readsBody: RequestListener = (req, res) => req.on('end', () => res.end()).resume();
    const service = await startService(options({ headersTimeoutMs: 100, graceMillis: 200, listener: readsBody }));
    const socket = await openSocket(service.url);
    socket.write(message);

    const answer = await readAll(socket);

    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('{"code":"request_timeout","message":"The request did not arrive in time."}');
    await service.stop();
  });

  test.each([
    ['whose body is no chunk', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', 400, 60_000],
    // Time for the head to arrive on a busy machine.
    ['whose body does not come', 'Content-Length: 10\r\n\r\n', 408, 2000],
  ])('a request %s is answered with the headers that all its answers have', async (_name, message, status, limitMs) => {
    const readsBody: RequestListener = (req, res) => {
      res.setHeader('X-Id', 'a-1');
      req.on('end', () => res.end()).resume();
    };
    const service = await startService(options({ headersTimeoutMs: limitMs, graceMillis: limitMs, listener: readsBody }));
    const socket = await openSocket(service.url);
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${message}`);

    const [head, body] = (await readAll(socket)).split('\r\n\r\n');

    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain('X-Id: a-1\r\n');
    expect(body).toMatch(/^\{"code":"(bad_request|request_timeout)","message":".*"\}$/);
    await service.stop();
  });

  test('what is no HTTP behind a whole request is no answer to that one', async () => {
    const service = await startService(options({ listener: () => undefined }));
    const socket = await openSocket(service.url);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\nHELO you\r\n\r\n');

    expect(await readAll(socket)).toBe('');
    await service.stop();
  });

  test('an expectation that nobody knows is ignored', async () => {
    const service = await startService(options());

    const socket = await openSocket(service.url);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\nConnection: close\r\n\r\n');

    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    await service.stop();
  });

  test('something that is no HTTP is answered 400 in our form', async () => {
    const service = await startService(options());
    const socket = await openSocket(service.url);
    socket.write('HELO you\r\n\r\n');

    expect(await readAll(socket)).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\n(.+\r\n)*\r\n\{"code":"bad_request","message":"The request is not HTTP\."\}$/,
    );
    await service.stop();
  });
});

test('a request to a target that is no URL is answered by the application', async () => {
  const { app, lines } = createExampleApp();
  const service = await startService(options({ listener: app }));
  const socket = await openSocket(service.url);
  socket.write(`GET http://[::1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nConnection: close\r\n\r\n`);
  const answer = await readAll(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 404 .*\r\nX-Request-Id: /);
  expect(answer).toContain('{"code":"not_found","message":"There is nothing at the path ');
  expect(lines).toHaveLength(1);
  await service.stop();
});
