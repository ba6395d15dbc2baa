import { once } from 'node:events';

import type { NetworkGuard } from '@svc/network-guard';

/** What PostgreSQL knows a session by, when somebody else asks to cancel what it does. */
export interface SessionKey {
  readonly processId: number;
  readonly secretKey: number;
}

const CANCEL_REQUEST = 80877102;
const TIMEOUT_MS = 5000;

/** Asks a server to cancel what a session does. Never fails: a server that cannot be asked notices the end of the connection. */
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
    // See above.
  } finally {
    socket.destroy();
  }
}
