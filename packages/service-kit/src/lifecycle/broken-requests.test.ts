import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';

import { createLogger } from '../logging/logger.ts';
import { listenHttp, type HttpListener } from './http-listener.ts';

const HEAD = 'POST /query HTTP/1.1\r\nHost: a\r\n';
const lines: string[] = [];
let service: HttpListener;

beforeAll(async () => {
  const logger = createLogger({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  service = await listenHttp({
    name: 'test',
    host: '127.0.0.1',
    port: 0,
    listener: (req, res) => void req.on('end', () => res.end('ok')).resume(),
    idHeaders: ['X-Other-Id'],
    logger,
  });
});
afterAll(() => service.drain(0));
beforeEach(() => void lines.splice(0));

async function open({ allowHalfOpen = false } = {}): Promise<Socket> {
  const { port } = service.server.address() as AddressInfo; // a listening TCP server has this kind of address
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen }).setEncoding('latin1');
  await once(socket, 'connect');
  return socket;
}

/** Sends a message and returns all bytes until the connection ends in any way: the client may still be sending when it does. */
async function ask(message: string): Promise<string> {
  const socket = await open();
  let text = '';
  socket.on('data', (piece: string) => void (text += piece)).on('error', () => undefined);
  const closed = closeOf(socket);
  socket.write(message);
  await closed;
  return text;
}

async function closeOf(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
}

const NOT_HTTP = 'The request is not HTTP.';
const TOO_LONG = 'The head of the request is too long.';

test.each([
  ['a header that is too long', `${HEAD}X: ${'a'.repeat(20_000)}\r\n\r\n`, TOO_LONG],
  ['a head that goes on for long', `${HEAD}X: ${'a'.repeat(3_000_000)}\r\n\r\n`, TOO_LONG],
  ['a path that is too long', `POST /query?${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`, TOO_LONG],
  ['two ways to tell the length', `${HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n1+1\r\n0\r\n\r\n`, NOT_HTTP],
  ['two lengths', `${HEAD}Content-Length: 3\r\nContent-Length: 4\r\n\r\n1+1`, NOT_HTTP],
  ['a method that is none', 'P(ST /query HTTP/1.1\r\nHost: a\r\n\r\n', NOT_HTTP],
  ['a name of a header that is none', `${HEAD}a b: c\r\n\r\n`, NOT_HTTP],
  ['another version', 'POST /query HTTP/9.1\r\nHost: a\r\n\r\n', NOT_HTTP],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', NOT_HTTP],
])('%s is answered with a body, and with the ids by which the log knows it', async (_, message, said) => {
  const [head = '', body] = (await ask(message)).split('\r\n\r\n');
  const ids = ['X-Request-Id', 'X-Other-Id'].map((name) => new RegExp(`\r\n${name}: ([0-9a-f-]{36})(\r\n|$)`).exec(head)?.[1]);
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toMatch(/\r\nDate: \w{3}, \d\d /);
  expect(head).toContain('\r\nCache-Control: no-store\r\n');
  expect(JSON.parse(body ?? '')).toEqual({ code: 'bad_request', message: said });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      level: 'info',
      ids: { 'X-Request-Id': ids[0], 'X-Other-Id': ids[1] },
      response: { status: 400, code: 'bad_request' },
    }),
  ]);
});

test('a client that goes on to send what is no request is cut off', async () => {
  const socket = await open({ allowHalfOpen: true });
  socket.on('error', () => undefined).resume();
  const closed = closeOf(socket);
  const timer = setInterval(() => socket.write('HELO you\r\n\r\n'), 20);
  await closed;
  clearInterval(timer);
  expect(lines).toHaveLength(1);
});
