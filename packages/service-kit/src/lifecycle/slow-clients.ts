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

/** A stretch of time in which the service waited for nothing but the client. */
interface Wait {
  kind: 'request' | 'answer';
  since: number;
  /** Bytes that had come, or gone, when it began. */
  bytes: number;
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
  const waits = new WeakMap<ServerResponse, Wait>();
  const check = (): void => {
    const now = performance.now();
    for (const res of running) {
      const wait = waits.get(res);
      const current = measure(res, now);
      if (current === undefined) waits.delete(res);
      else if (wait?.kind !== current.kind) waits.set(res, current);
      else if (now - wait.since >= graceMillis) {
        const isSlow = current.bytes - wait.bytes < (minBytesPerSecond * (now - wait.since)) / 1000;
        if (isSlow) cutOff(server, res, current.kind, logger);
        waits.set(res, current);
      }
    }
  };
  const timer = setInterval(check, Math.min(MOST_CHECK_MILLIS, graceMillis / 4));
  server.once('close', () => clearInterval(timer));
  timer.unref();
}

/** What is waited for now, if it is the client. */
function measure({ req, socket: connection }: ServerResponse, now: number): Wait | undefined {
  const socket: CountingSocket | null = connection;
  if (socket === null || socket.destroyed) return undefined;
  const left = socket._handle?.writeQueueSize ?? 0;
  // The system holds as much as it takes for this client, and more waits for room.
  if (left > 0) return { kind: 'answer', since: now, bytes: (socket._bytesDispatched ?? 0) - left };
  const isWanted = !req.complete && req.readableLength < req.readableHighWaterMark;
  return isWanted ? { kind: 'request', since: now, bytes: socket.bytesRead } : undefined;
}

function cutOff(server: Server, res: ServerResponse, kind: Wait['kind'], logger: Logger | undefined): void {
  const { socket } = res;
  if (socket === null) return;
  logger?.info({ kind, remoteAddress: socket.remoteAddress }, 'a client that was too slow is cut off');
  // As Node itself reports a request that is late.
  if (kind === 'request') server.emit('clientError', Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  else socket.resetAndDestroy();
}
