import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

import { SERVICES, type ServiceEntry } from './services/service-table.ts';

/** Below the range of outgoing connections and of port 0: a found port is taken only by others that search here. */
const FIRST_PORT = 15_000;
/** A caller at a time has a block of ports to itself: so many ports, and so many blocks. */
const BLOCK_PORTS = 50;
const BLOCKS = 300;

/** The ports of this process's block that were not given yet. */
let left: number[] = [];

/**
 * Returns a TCP port without a listener, which no other process finds here while this one lives: a test can stop what
 * listens at it and start it again.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let blocks = 0; blocks < BLOCKS;) {
    const port = left.pop();
    if (port === undefined) {
      left = await claimBlock();
      blocks += 1;
    } else if (await isPortFree(port, host)) return port;
  }
  throw new Error(`No free port on ${host}.`);
}

/** Claims a block by listening at its first port until the process ends; returns the others. */
async function claimBlock(): Promise<number[]> {
  const start = randomInt(BLOCKS);
  for (let i = 0; i < BLOCKS; i += 1) {
    const first = FIRST_PORT + ((start + i) % BLOCKS) * BLOCK_PORTS;
    if (await listens(first, '127.0.0.1', 'until-exit')) return Array.from({ length: BLOCK_PORTS - 1 }, (_, k) => first + k + 1);
  }
  throw new Error(`All ports from ${FIRST_PORT} on are claimed.`);
}

/** Returns whether a server could listen on a port now. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  return listens(port, host, 'once');
}

async function listens(port: number, host: string, howLong: 'once' | 'until-exit'): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, host, () => {
      if (howLong === 'once') server.close(() => resolve(true));
      else {
        server.unref();
        resolve(true);
      }
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
  for (const name of names) ports[name] = String(await freePort());
  return ports;
}
