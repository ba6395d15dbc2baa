import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { Attack } from './attacks/attack.ts';
import { createRandom } from '@svc/test-kit';
import type { Random } from '@svc/test-kit';

/** A query whose client disconnects before its end. */
export type LeftQuery = Pick<Attack, 'query' | 'search' | 'headers'>;

/** The queries, their target and caller, their number, and the delays after which clients disconnect. */
export interface LeavingClients {
  readonly url: string;
  readonly bearer: string;
  readonly queries: readonly [LeftQuery, ...LeftQuery[]];
  readonly times: number;
  readonly seed: number;
}

const AT_ONCE = 8;
/** From immediately, in the middle of the request, to during the response. */
const DELAYS_MILLIS = [0, 0, 1, 5, 20, 50, 100, 300, 700] as const;

type Leave = (socket: Socket, millis: number) => Promise<void>;

/** Ways in which clients disconnect, after a delay. */
const LEAVES = {
  closed: async (socket, millis) => {
    await delay(millis);
    socket.destroy();
  },
  reset: async (socket, millis) => {
    await delay(millis);
    socket.resetAndDestroy();
  },
  'closed while it reads': async (socket, millis) => {
    socket.resume();
    await delay(millis);
    socket.destroy();
  },
  'half closed, and closed later': async (socket, millis) => {
    socket.end();
    await delay(millis);
    socket.destroy();
  },
} as const satisfies Record<string, Leave>;

/** Sends queries, some concurrently, from clients that disconnect at any time; resolves when the last one has. */
export async function sendAndLeave({ times, seed, ...clients }: LeavingClients): Promise<void> {
  const random = createRandom(seed);
  let left = times;
  const oneByOne = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await leaveOnce(random, clients);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, oneByOne));
}

async function leaveOnce(random: Random, { url, bearer, queries }: Pick<LeavingClients, 'url' | 'bearer' | 'queries'>): Promise<void> {
  const request = requestOf(random.pick(queries), bearer);
  const isCut = random.below(4) === 0;
  const millis = random.pick(DELAYS_MILLIS);
  const leave = random.pick([LEAVES.closed, LEAVES.reset, LEAVES['closed while it reads'], LEAVES['half closed, and closed later']]);
  const sent = isCut ? request.subarray(0, random.below(request.length)) : request;
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  await leave(socket, millis);
}

function requestOf({ query, search = '', headers = {} }: LeftQuery, bearer: string): Buffer {
  const body = Buffer.from(query);
  const lines = Object.entries({ Host: 'x', Authorization: bearer, ...headers, 'Content-Length': String(body.length) });
  const head = [`POST /query${encodeURI(search)} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), body]);
}
