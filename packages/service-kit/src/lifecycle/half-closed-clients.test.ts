import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { listenHttp, type HttpListener } from './http-listener.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

let listeners: HttpListener[] = [];
afterEach(async () => {
  for (const listener of listeners) await listener.drain(0);
  listeners = [];
});

async function listen(listener: RequestListener): Promise<HttpListener> {
  const opened = await listenHttp({ name: 'test', host: '127.0.0.1', port: 0, listener });
  listeners.push(opened);
  return opened;
}

/** Opens a client that continues to read after its own side or the other one has ended. */
async function openClient({ server }: HttpListener): Promise<Socket> {
  const { port } = server.address() as AddressInfo; // a listening TCP server has this kind of address
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const piece of socket as AsyncIterable<string>) text += piece;
  return text;
}

/** A server's pending responses, in the order of their requests. */
function asked(): { readonly listener: RequestListener; readonly next: () => Promise<ServerResponse> } {
  const came: ServerResponse[] = [];
  let wake = (): void => undefined;
  const next = async (): Promise<ServerResponse> => {
    for (;;) {
      const res = came.shift();
      if (res !== undefined) return res;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const listener: RequestListener = (_req, res) => {
    came.push(res);
    wake();
  };
  return { listener, next };
}

/** Waits until the server has seen the client's half-close and has probed the connection. */
async function hasBeenLookedFor(socket: Socket): Promise<void> {
  let text = '';
  while (!text.includes(CONTINUE)) text += String((await once(socket, 'data'))[0]);
}

describe('a client that ends its side with its request', () => {
  test('gets an answer that is there at once', async () => {
    const client = await openClient(await listen((_req, res) => res.end('ok')));
    client.end(REQUEST);
    expect(await readAll(client)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/);
  });

  test('gets an answer that takes its time, in pieces, and the connection ends', async () => {
    const { listener, next } = asked();
    const client = await openClient(await listen(listener));
    client.end(REQUEST);
    const res = await next();
    await hasBeenLookedFor(client);
    const read = readAll(client);
    res.write('some');
    // Longer than it is between two looks.
    await new Promise((resolve) => {
      setTimeout(resolve, 1000);
    });
    res.end('more');
    expect(await read).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)*HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n4\r\nsome\r\n4\r\nmore\r\n0\r\n\r\n$/);
  });

  test('gets the answers to all that it asked', async () => {
    const { listener, next } = asked();
    const client = await openClient(await listen(listener));
    client.end(REQUEST + REQUEST);
    const first = await next();
    await hasBeenLookedFor(client);
    first.end('one');
    // The requests of a connection are answered one at a time.
    (await next()).end('two');
    expect(await readAll(client)).toMatch(/\r\n\r\none(HTTP\/1\.1 100 Continue\r\n\r\n)*HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\ntwo$/);
  });
});

describe('a client that has gone away is noticed', () => {
  test.each([
    ['HTTP/1.1', REQUEST],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
  ])('while its answer is made: %s', async (_, request) => {
    const { listener, next } = asked();
    const client = await openClient(await listen(listener));
    client.write(request);
    const res = await next();
    client.destroy();
    await once(res, 'close');
    expect(res.writableFinished).toBe(false);
  });

  test('after it had ended its side and waited', async () => {
    const { listener, next } = asked();
    const client = await openClient(await listen(listener));
    client.end(REQUEST);
    const res = await next();
    await hasBeenLookedFor(client);
    client.destroy();
    await once(res, 'close');
    expect(res.writableFinished).toBe(false);
  });

  test('amid an answer of which nothing follows', async () => {
    const { listener, next } = asked();
    const client = await openClient(await listen(listener));
    client.write(REQUEST);
    const res = await next();
    res.write('some');
    await once(client, 'data');
    client.destroy();
    await once(res, 'close');
    expect(res.writableFinished).toBe(false);
  });
});
