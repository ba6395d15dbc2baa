import { once } from 'node:events';

import type { NetworkGuard } from '@svc/network-guard';

/** Key of a session with which another connection cancels its statement. */
export interface SessionKey {
  readonly processId: number;
  readonly secretKey: number;
}

const CANCEL_REQUEST = 80877102;
const TIMEOUT_MS = 5000;

/** Requests a server to cancel a session's statement. Never fails: a server that cannot be reached notices the end of the connection. */
export async function cancelStatement(
  guard: Pick<NetworkGuard, 'connect'>,
  { host, port }: { readonly host: string; readonly port: number },
  { processId, secretKey }: SessionKey,
): Promise<void> {
  const message = Buffer.alloc(16);
  [message.length, CANCEL_REQUEST, processId].forEach((value, i) => message.writeInt32BE(value, 4 * i));
  message.writeInt32BE(secretKey, 12);
  const socket = guard.connect({ host, port });
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await once(socket, 'connect', { signal });
    socket.end(message);
    // The server answers by closing.
    socket.resume();
    await once(socket, 'close', { signal });
  } catch {
    // Failures are ignored, see above.
  } finally {
    socket.destroy();
  }
}
