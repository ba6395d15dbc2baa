import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import { createNetworkGuard } from '@svc/network-guard';

import { findTopic } from './find-topic.ts';

test('a broker that takes a connection and says nothing is given up', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo; // a listening TCP server has this kind of address
  const guard = createNetworkGuard({ allow: ['127.0.0.0/8'] });
  const address = { host: '127.0.0.1', port, tls: false, login: null };
  await expect(findTopic({ address, topic: 'orders', timeoutMillis: 200 }, guard)).rejects.toMatchObject({
    kind: 'unreachable',
    message: `The broker 127.0.0.1:${port} cannot be reached: it does not answer.`,
  });
  for (const socket of sockets) socket.destroy();
  silent.close();
  guard.close();
});
