import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { Admission } from '@svc/query-runtime';
import { createHttpMetrics, createLogger } from '@svc/service-kit';

import { createOverloadGuard, createRefusalCounter } from './overload-guard.ts';

const never = new AbortController().signal;
/** The running slot is taken by ann, who fills the queue, too. */
const admission = new Admission({ concurrency: 1, concurrencyPerSubject: 1, waitMillis: 60_000, maxWaiting: 2 });
const overloadGuard = createOverloadGuard({
  admission,
  countRefusal: createRefusalCounter(createHttpMetrics(), createLogger({ service: 'overload-guard', level: 'silent' })),
  authenticate: async (req) => ({ subject: req.headers.authorization ?? '', namespace: '', scopes: [], kind: 'token' }),
});
/** Returns the caller and the number of bytes received. */
const server = createServer(
  overloadGuard.guard((req, res) => {
    let bytes = 0;
    req.on('data', (piece: Buffer) => void (bytes += piece.length));
    req.on('end', () => void overloadGuard.authenticate(req).then(({ subject }) => res.end(`${subject} sent ${bytes}`)));
  }),
);
const ended: Promise<unknown>[] = [];
let leave: () => void;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = await open();
  client.socket.write(head('ann', 'Content-Length: 0'));
  await client.answers(1);
  client.socket.destroy();
  leave = await admission.enter('ann', never);
  for (const _ of [1, 2]) ended.push(enterAndLeave());
});
afterAll(async () => {
  leave();
  await Promise.all(ended);
  server.closeAllConnections();
  server.close();
});

async function enterAndLeave(): Promise<void> {
  const over = await admission.enter('ann', never);
  over();
}

function head(who: string, ...lines: readonly string[]): string {
  return ['POST /query HTTP/1.1', 'Host: x', `Authorization: ${who}`, ...lines, '', ''].join('\r\n');
}

interface Client {
  readonly socket: Socket;
  /** The next answers: each its status, and who sent how much or the code of the error. */
  readonly answers: (count: number) => Promise<readonly string[]>;
}

async function open(): Promise<Client> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1'); // a listening TCP server has this kind of address
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (text: string) => void (received += text));
  const take = (): string | undefined => {
    const [whole = '', status, length = ''] =
      /^HTTP\/1\.1 (\d+)[^]*?\r\nContent-Length: (\d+)(?:\r\n[^]*?)??\r\n\r\n/i.exec(received) ?? [];
    const end = whole.length + Number(length);
    if (whole === '' || received.length < end) return undefined;
    const body = received.slice(whole.length, end);
    received = received.slice(end);
    return `${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? body}`;
  };
  const next = async (): Promise<string> => {
    for (;;) {
      const answer = take();
      if (answer !== undefined) return answer;
      await once(socket, 'data');
    }
  };
  return {
    socket,
    answers: async (count) => {
      const found: string[] = [];
      while (found.length < count) found.push(await next());
      return found;
    },
  };
}

test('of requests that are sent before the answers have come each gets its own, in their order', async () => {
  const { socket, answers } = await open();
  const asked = ['bob', 'ann', 'ann', 'bob', 'ann'];
  socket.write(asked.map((who) => `${head(who, 'Content-Length: 5')}hello`).join(''));
  expect(await answers(5)).toEqual(asked.map((who) => (who === 'ann' ? '503 service_unavailable' : '200 bob sent 5')));
  socket.destroy();
});

test.each([
  ['of a known length', 'Content-Length: 300000', 'x'.repeat(100_000), 'x'.repeat(200_000)],
  ['in chunks', 'Transfer-Encoding: chunked', `3\r\nabc\r\n`, `186a0\r\n${'x'.repeat(100_000)}\r\n0\r\n\r\n`],
])('a body %s may come after its query was refused, and the connection takes the next query', async (_, line, first, rest) => {
  const { socket, answers } = await open();
  for (const _again of [1, 2]) {
    socket.write(head('ann', line) + first);
    expect(await answers(1)).toEqual(['503 service_unavailable']);
    socket.write(rest);
    socket.write(head('bob', 'Content-Length: 2') + 'hi');
    expect(await answers(1)).toEqual(['200 bob sent 2']);
  }
  socket.destroy();
});

test('a client that goes away after its query was refused, or before, takes nothing with it', async () => {
  for (const sent of [head('ann', 'Content-Length: 10'), head('bob', 'Content-Length: 10')]) {
    const { socket } = await open();
    socket.write(`${sent}half`);
    const [, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    socket.destroy();
    if (!res.closed) await once(res, 'close');
  }
  const { socket, answers } = await open();
  socket.write(head('ann', 'Content-Length: 0') + head('bob', 'Content-Length: 0'));
  expect(await answers(2)).toEqual(['503 service_unavailable', '200 bob sent 0']);
  socket.destroy();
});
