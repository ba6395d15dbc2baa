import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A fault that a proxy injects into the server's data. */
export interface ProxyFault {
  /** After this many bytes of a connection … */
  readonly afterBytes: number;
  /** … it is closed, or stalls. */
  readonly kind: 'die' | 'stall';
}

/** A way to a server that can break. */
export interface TcpProxy {
  readonly port: number;
  /** Number of connections so far. */
  readonly connections: () => number;
  /** Bytes that the server has sent so far. */
  readonly bytes: () => number;
  /** Number of times clients have sent the watched text so far, within a packet. */
  readonly watched: () => number;
  /** Ends the connections that are open. */
  readonly cut: () => void;
  /** Sets the fault of further connections: null for none, a function for a fault per connection. */
  readonly setFault: (fault: ProxyFault | (() => ProxyFault) | null) => void;
  readonly close: () => Promise<void>;
}

/** Target of a proxy. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
  /** A text of requests to count. */
  readonly watch?: string;
}

/** Opens a proxy to a port of this machine. */
export async function openTcpProxy({ watch, ...target }: ProxyTarget): Promise<TcpProxy> {
  let [connections, bytes, watched] = [0, 0, 0];
  let fault: ProxyFault | (() => ProxyFault) | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream);
    if (watch !== undefined) client.on('data', (piece: Buffer) => void (watched += piece.toString('latin1').split(watch).length - 1));
    upstream.on('data', (piece: Buffer) => void (bytes += piece.length));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    forward(upstream, client, typeof fault === 'function' ? fault() : fault);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // of a server that listens on a port
    connections: () => connections,
    bytes: () => bytes,
    watched: () => watched,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    setFault: (next) => void (fault = next),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function forward(from: Socket, to: Socket, fault: ProxyFault | null): void {
  if (fault === null) {
    from.pipe(to);
    return;
  }
  let left = fault.afterBytes;
  from.on('data', (piece: Buffer) => {
    const part = piece.subarray(0, left);
    left -= part.length;
    if (part.length > 0) to.write(part);
    if (left > 0 || fault.kind === 'stall') return;
    to.end(() => to.destroy());
    from.destroy();
  });
}
