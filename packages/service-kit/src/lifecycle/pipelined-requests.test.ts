import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { listenHttp, type HttpListener } from './http-listener.ts';

let listener: HttpListener;
let [running, most, served] = [0, 0, 0];
const held: ServerResponse[] = [];
beforeAll(async () => {
  listener = await listenHttp({
    name: 'test',
    host: '127.0.0.1',
    port: 0,
    listener: (req, res) => {
      [running, served] = [running + 1, served + 1];
      most = Math.max(most, running);
      res.once('finish', () => (running -= 1));
      if (req.url === '/hold') held.push(res);
      else if (req.url === '/large') res.end(Buffer.alloc(1_000_000));
      else setImmediate(() => res.end(req.url));
    },
  });
});
afterAll(() => listener.drain(0));
beforeEach(() => {
  [most, served] = [0, 0];
});

function open() {
  const { port } = listener.server.address() as AddressInfo; // a listening TCP server has this kind of address
  return connect(port, '127.0.0.1').on('error', () => undefined);
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

test('requests that a client sends together are served one after the other, in order', async () => {
  const socket = open();
  socket.write(Array.from({ length: 50 }, (_, i) => get(`/${i}`)).join('') + get('/last', 'Connection: close\r\n'));
  let text = '';
  for await (const piece of socket) text += String(piece);
  expect(text.match(/\/(?:\d\d?|last)(?=HTTP|$)/g)).toEqual([...Array.from({ length: 50 }, (_, i) => `/${i}`), '/last']);
  expect(most).toBe(1);
});

test('a client that sends many requests and reads no answer has few of them made', async () => {
  const socket = open().pause();
  await once(socket, 'connect');
  socket.write(get('/large').repeat(500));
  // Unread data fills the system's buffers, which hold some megabytes.
  await delay(300);
  const before = served;
  await delay(300);
  expect([served - before, most]).toEqual([0, 1]);
  expect(served).toBeLessThan(50);
  socket.destroy();
});

test('of a client that has gone nothing more is served', async () => {
  const socket = open();
  await once(socket, 'connect');
  socket.write(get('/hold') + get('/after').repeat(20));
  while (held.length === 0) await delay(1);
  socket.destroy();
  await once(held[0] as ServerResponse, 'close');
  await delay(20);
  expect(served).toBe(1);
});
