import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

/** A way to a PostgreSQL server that offers TLS, as `localhost`. */
export interface TlsServer {
  readonly port: number;
  /** Its certificate, and another one for the same name. */
  readonly certificate: string;
  readonly otherCertificate: string;
  /** Connections that were secured so far. */
  readonly secured: () => number;
  readonly close: () => Promise<void>;
}

/** Length and code of a client's TLS request. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Opens one in front of a server that has no TLS. */
export async function openTlsServer(target: { readonly host: string; readonly port: number }): Promise<TlsServer> {
  const [key, certificate, otherCertificate] = await Promise.all(
    ['key.pem', 'cert.pem', 'other-cert.pem'].map((name) => readFile(join(import.meta.dirname, name), 'utf8')),
  );
  let secured = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    client.once('data', (first: Buffer) => {
      const isAsked = first.equals(SSL_REQUEST);
      if (isAsked) client.write('S');
      const inner = isAsked ? new TLSSocket(client, { isServer: true, key, cert: certificate }) : client;
      if (isAsked) inner.once('secure', () => void (secured += 1));
      const upstream = connect(target);
      for (const socket of [inner, upstream]) keep(socket);
      if (!isAsked) upstream.write(first);
      inner.pipe(upstream).pipe(inner);
      inner.on('close', () => upstream.destroy());
      upstream.on('close', () => inner.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // of a server that listens on a port
    certificate: certificate ?? '',
    otherCertificate: otherCertificate ?? '',
    secured: () => secured,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
