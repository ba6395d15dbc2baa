import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Logger } from '../logging/logger.ts';

/** How slow a client may be. */
export interface SlowClientOptions {
  /** What a client must send of a request, or take of an answer, on average; 0 for any speed. */
  readonly minBytesPerSecond: number;
  /** How long it may be slower than that. */
  readonly graceMillis: number;
}

/** What Node's sockets know and do not tell. */
type CountingSocket = Socket & { readonly _bytesDispatched?: number; readonly _handle?: { readonly writeQueueSize?: number } | null };

/** What the service waits for, if it is the client alone. */
interface Wanted {
  readonly kind: 'request' | 'answer';
  /** Bytes that have come, or gone, so far. */
  readonly bytes: number;
}

/** A stretch of such a wait. */
interface Wait {
  readonly begun: Wanted;
  millis: number;
}

const MOST_CHECK_MILLIS = 1_000;

/**
 * Cuts off clients that hold what they have begun by being slow: while the rest of a request, or room for the rest of an answer, is waited
 * for, they must send or take a minimum. The time in which the service itself works does not count. A request that is late is answered 408.
 */
export function refuseSlowClients(
  server: Server,
  running: ReadonlySet<ServerResponse>,
  { minBytesPerSecond, graceMillis, logger }: SlowClientOptions & { readonly logger?: Logger | undefined },
): void {
  if (minBytesPerSecond === 0) return;
  const checkMillis = Math.min(MOST_CHECK_MILLIS, graceMillis / 4);
  const waits = new WeakMap<ServerResponse, Wait>();
  let checkedAt = performance.now();
  const check = (): void => {
    const now = performance.now();
    // Where this process stood still, nobody could send or take anything.
    const passed = Math.min(now - checkedAt, 2 * checkMillis);
    checkedAt = now;
    for (const res of running) {
      const wanted = measure(res);
      const wait = waits.get(res);
      if (wanted === undefined) waits.delete(res);
      else if (wait?.begun.kind !== wanted.kind) waits.set(res, { begun: wanted, millis: 0 });
      else {
        wait.millis += passed;
        if (wait.millis < graceMillis) continue;
        const isSlow = wanted.bytes - wait.begun.bytes < (minBytesPerSecond * wait.millis) / 1000;
        if (isSlow) cutOff(server, res, { kind: wanted.kind, logger });
        waits.set(res, { begun: wanted, millis: 0 });
      }
    }
  };
  const timer = setInterval(check, checkMillis);
  server.once('close', () => clearInterval(timer));
  timer.unref();
}

function measure({ req, socket: connection }: ServerResponse): Wanted | undefined {
  const socket: CountingSocket | null = connection;
  if (socket === null || socket.destroyed) return undefined;
  const left = socket._handle?.writeQueueSize ?? 0;
  // The system holds as much as it takes for this client, and more waits for room.
  if (left > 0) return { kind: 'answer', bytes: (socket._bytesDispatched ?? 0) - left };
  const isWanted = !req.complete && req.readableLength < req.readableHighWaterMark;
  return isWanted ? { kind: 'request', bytes: socket.bytesRead } : undefined;
}

interface Slowness {
  readonly kind: Wanted['kind'];
  readonly logger: Logger | undefined;
}

function cutOff(server: Server, { socket }: ServerResponse, { kind, logger }: Slowness): void {
  if (socket === null) return;
  logger?.info({ kind, remoteAddress: socket.remoteAddress }, 'a client that was too slow is cut off');
  // As Node itself reports a request that is late.
  if (kind === 'request') server.emit('clientError', Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  else socket.resetAndDestroy();
}
