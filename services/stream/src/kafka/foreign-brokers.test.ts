import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import { createNetworkGuard } from '@svc/network-guard';

import { findTopic } from './find-topic.ts';

const guard = createNetworkGuard({ allow: ['127.0.0.0/8'] });

/** Answers that no broker gives: their length, the number of their request, and what follows. */
const ANSWERS: readonly (readonly [what: string, answer: Buffer])[] = [
  ['zeros', Buffer.alloc(8)],
  ['a negative length', Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 1])],
  ['an answer of 2 GB', Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1])],
  ['an answer without its number', Buffer.from([0, 0, 0, 2, 0, 0])],
  ['HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
];

test.each(ANSWERS)('a server that answers with %s is no broker, and no exception', async (_what, answer) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.on('data', () => {
      // One byte by itself: lengths come in parts too.
      socket.write(answer.subarray(0, 1));
      setImmediate(() => socket.write(answer.subarray(1)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has this kind of address
  const looking = findTopic({ address: { host: '127.0.0.1', port, tls: false, login: null }, topic: 'any', timeoutMillis: 3000 }, guard);
  await expect(looking).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(/cannot be reached: it does not answer as a broker does\.$/) as unknown,
  });
  for (const socket of sockets) socket.destroy();
  server.close();
});
