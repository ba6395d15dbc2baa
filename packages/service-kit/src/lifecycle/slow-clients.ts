import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Logger } from '../logging/logger.ts';

/** Limits for slow clients. */
export interface SlowClientOptions {
  /** Minimum average rate at which a client must send a request or read a response, in bytes per second; 0 disables the check. */
  readonly minBytesPerSecond: number;
  /** Time for which a client may be slower than that. */
  readonly graceMillis: number;
}

/** Undocumented properties of Node's sockets. */
type CountingSocket = Socket & { readonly _bytesDispatched?: number; readonly _handle?: { readonly writeQueueSize?: number } | null };

/** The direction in which the server waits for the client, and for nothing else. */
interface Wanted {
  readonly kind: 'request' | 'answer';
  /** Bytes received, or sent, so far. */
  readonly bytes: number;
}

/** A stretch of such a wait. */
interface Wait {
  readonly begun: Wanted;
  millis: number;
}

const MOST_CHECK_MILLIS = 1_000;

/**
 * Disconnects slow clients that hold resources. While the server waits for the rest of a request, or for room to write a
 * response, the client must send or read at a minimum rate. The server's own processing time does not count. A late request
 * is answered 408.
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
    // While this process was blocked, no client could send or read anything.
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
  // The system buffers what the client's window accepts; the rest waits here.
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
  // The same event that Node emits for a late request.
  if (kind === 'request') server.emit('clientError', Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  else socket.resetAndDestroy();
}
