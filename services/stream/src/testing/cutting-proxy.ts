import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to PostgreSQL that can be cut. */
export interface CuttingProxy {
  readonly url: string;
  /** Lets the next COMMIT through, and drops its response. */
  readonly cutAfterCommit: () => void;
  /** Returns the number of responses cut off. */
  readonly cuts: () => number;
  readonly close: () => Promise<void>;
}

/** Opens one before the server at a URL. */
export async function openCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let [isArmed, cuts] = [false, 0];
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    let isCut = false;
    client.on('data', (bytes) => {
      upstream.write(bytes);
      if (!isArmed || !/commit/i.test(bytes.toString('latin1'))) return;
      [isArmed, isCut] = [false, true];
      cuts += 1;
    });
    upstream.on('data', (bytes) => {
      if (isCut) client.destroy();
      else client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a listening TCP server has this kind of address
  return {
    url: url.href,
    cutAfterCommit: () => void (isArmed = true),
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
