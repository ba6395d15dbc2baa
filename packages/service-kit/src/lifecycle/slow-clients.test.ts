import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { listenHttp, type HttpListener } from './http-listener.ts';

const GRACE = 600;
let listener: HttpListener;
let received: number | undefined;
/** Resolves when the server gives up a large response. */
let givenUp: Promise<unknown>;
beforeAll(async () => {
  listener = await listenHttp({
    name: 'test',
    host: '127.0.0.1',
    port: 0,
    minBytesPerSecond: 10_000,
    graceMillis: GRACE,
    listener: (req, res) => void answer(req, res),
  });
});
afterAll(() => listener.drain(0));

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === '/work') await delay(3 * GRACE);
  if (req.url === '/large') {
    givenUp = once(res, 'close');
    res.end(Buffer.alloc(30_000_000));
    return;
  }
  received = await countBytes(req).catch(() => -1);
  res.end(`${received}`);
}

async function countBytes(req: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const piece of req as AsyncIterable<Buffer>) bytes += piece.length;
  return bytes;
}

async function open(): Promise<Socket> {
  const { port } = listener.server.address() as AddressInfo; // a listening TCP server has this kind of address
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Returns all data until the connection ends. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (piece) => void (text += String(piece)));
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

test('a request that comes too slowly is answered 408, its connection closed, and its body ended', async () => {
  received = undefined;
  const socket = await open();
  const startedAt = performance.now();
  // A client that goes on sending when the connection is closed may miss the response.
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(500)}`);
  const text = await readAll(socket);
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(text).toContain('"code":"request_timeout"');
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(GRACE);
  while (received === undefined) await delay(1);
  expect(received).toBe(-1);
});

test('a request that comes at the least speed is taken, however long it lasts', async () => {
  const socket = await open();
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
  const endsAt = performance.now() + 5 * GRACE;
  while (performance.now() < endsAt) {
    socket.write(`3e8\r\n${'x'.repeat(1000)}\r\n`);
    await delay(5);
  }
  socket.write('0\r\n\r\n');
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a reader that takes next to nothing of an answer is cut off', async () => {
  const socket = (await open()).pause();
  const stopped = new AbortController();
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'readable');
  const reading = (async () => {
    while (!stopped.signal.aborted) {
      socket.read(100);
      await delay(20);
    }
  })();
  await givenUp;
  stopped.abort();
  await reading;
  expect(socket.bytesRead).toBeLessThan(30_000_000);
  socket.destroy();
});

test('a reader of a large answer that takes it is not cut off, nor is one whose answer takes long to make', async () => {
  const [large, late] = await Promise.all([open(), open()]);
  large.write('GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  late.write('GET /work HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let bytes = 0;
  for await (const piece of large as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes % 7 === 0) await delay(1);
  }
  expect(bytes).toBeGreaterThan(30_000_000);
  expect(await readAll(late)).toMatch(/^HTTP\/1\.1 200 /);
});
