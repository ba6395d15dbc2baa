import { connect, type Socket } from 'node:net';

import { ServiceError } from '@svc/errors';

import { createLogger } from '../logging/logger.ts';
import { listenHttp, type HttpListener } from '../lifecycle/http-listener.ts';
import { createHttpMetrics } from '../metrics/http-metrics.ts';
import { routeDefiner } from '../routes/route.ts';
import { createHttpApp } from './create-http-app.ts';

const echo = routeDefiner<string>()({
  method: 'post',
  path: '/echo',
  summary: 'Answers what it was sent.',
  tag: 'echo',
  request: { body: { kind: 'text', description: 'Any text.' } },
  responses: { 200: { description: 'ok', content: { 'text/plain': { type: 'string' } } } },
  handler: async ({ body }) => ({ status: 200, text: body }),
});

let lines: string[];
let onLine: () => void;
let listener: HttpListener;
let socket: Socket;
let received: string;

beforeEach(async () => {
  lines = [];
  onLine = () => undefined;
  received = '';
  const app = createHttpApp<string>({
    description: { title: 'Test', version: '1.0.0', description: '' },
    routes: [echo],
    authenticate: async (req) => {
      if (req.headers.authorization === undefined) throw new ServiceError('unauthorized', 'Send a token.');
      return 'ann';
    },
    bodyLimitBytes: 10,
    corsOrigins: [],
    logger: createLogger({ service: 'test', level: 'info', destination: { write: writeLine } }),
    metrics: createHttpMetrics(),
  });
  listener = await listenHttp({ name: 'test', host: '127.0.0.1', port: 0, listener: app });
  socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  socket.on('data', (chunk) => (received += String(chunk)));
});

afterEach(async () => {
  socket.destroy();
  await listener.drain(0);
});

function writeLine(line: string): void {
  lines.push(line);
  onLine();
}

/** Waits until the server has sent something that matches. */
async function receive(pattern: RegExp): Promise<void> {
  while (!pattern.test(received)) await new Promise((resolve) => socket.once('data', resolve));
}

const HEAD = 'POST /echo HTTP/1.1\r\nHost: a\r\nAuthorization: x\r\n';

test('a body that is too long is answered before it ends, and the connection stays good', async () => {
  socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n`);
  await receive(/^HTTP\/1\.1 413 .*payload_too_large/s);

  received = '';
  socket.write(`5\r\n12345\r\n0\r\n\r\n${HEAD}Content-Length: 5\r\n\r\nhello`);
  await receive(/hello$/);

  expect(received).toMatch(/^HTTP\/1\.1 200 OK/);
});

test('a client that asks before it sends is told to go on', async () => {
  socket.write(`${HEAD}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`);
  await receive(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  socket.write('hello');

  await receive(/hello$/);

  expect(received).toContain('HTTP/1.1 200 OK');
});

test.each([
  ['413', `${HEAD}Expect: 100-continue\r\nContent-Length: 11\r\n\r\n`],
  ['401', 'POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n'],
])('a client that asks before it sends gets a %s at once', async (status, head) => {
  socket.write(head);

  await receive(/"code"/);

  expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('a client that goes away in the middle of its body is no failure of ours', async () => {
  const { promise: logged, resolve } = Promise.withResolvers<void>();
  onLine = resolve;
  socket.write(`${HEAD}Content-Length: 5\r\n\r\nhe`);
  socket.end(() => socket.destroy());

  await logged;

  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', msg: 'request ended early' });
  expect(lines[0]).not.toContain('"err"');
});
