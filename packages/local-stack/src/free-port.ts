import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

import { SERVICES, type ServiceEntry } from './services/service-table.ts';

/** Below the range of outgoing connections and of port 0: a found port is taken only by others that search here. */
const FIRST_PORT = 15_000;
const LAST_PORT = 29_999;
const ATTEMPTS = 100;

/** Returns a TCP port without a listener. Another process could take it before it is used, which is unlikely. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isPortFree(port, host)) return port;
  }
  throw new Error(`No free port on ${host}.`);
}

/** Returns whether a server could listen on a port now. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}

async function listenOnce(port: number, host: string): Promise<number | undefined> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}

/** Finds a free port for every port setting of the local stack, by name of its environment variable: for a stack beside others. */
export async function freePortSettings(services: readonly ServiceEntry[] = SERVICES): Promise<Readonly<Record<string, string>>> {
  const names = [
    'SVC_AUTHORIZATION_PORT',
    'SVC_KAFKA_PORT',
    ...services.flatMap(({ area }) => [`SVC_${area}_PORT`, `SVC_${area}_ADMIN_PORT`]),
  ];
  const ports: Record<string, string> = {};
  for (const name of names) {
    let port = await freePort();
    while (Object.values(ports).includes(String(port))) port = await freePort();
    ports[name] = String(port);
  }
  return ports;
}
