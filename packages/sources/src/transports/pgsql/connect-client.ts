import type { ConnectionOptions } from 'node:tls';

import type { NetworkGuard } from '@svc/network-guard';
import { ownValue } from '@svc/query-language';
import { Client } from 'pg';

import { SourceFailure } from '../source-failure.ts';
import type { SessionKey } from './cancel-statement.ts';
import type { PgAccess } from './pg-access.ts';

/** A connection to a database server. */
export interface PgClient {
  readonly client: Client;
  readonly key: () => SessionKey;
  /** Ends the connection immediately. */
  readonly destroy: () => void;
  readonly isEnded: () => boolean;
}

const CONNECT_TIMEOUT_MS = 10_000;
const APPLICATION = 'svc';

/** Security of a connection, as in libpq's `sslmode`. */
type SslMode = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
const SSL_MODES: Readonly<Record<string, SslMode>> = {
  disable: 'disable',
  allow: 'prefer',
  prefer: 'prefer',
  require: 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
};

/**
 * Connects through the network guard, with TLS if the server supports it, or as its properties require. Aborts and fails
 * when the signal aborts.
 */
export async function connectClient(guard: Pick<NetworkGuard, 'connect'>, access: PgAccess, signal: AbortSignal): Promise<PgClient> {
  const mode = sslModeOf(access);
  if (mode === 'disable') return connectOnce(guard, access, { ssl: false, signal });
  const tls = tlsOptions(mode, access);
  if (mode !== 'prefer') return connectOnce(guard, access, { ssl: tls, signal });
  try {
    return await connectOnce(guard, access, { ssl: tls, signal });
  } catch (thrown) {
    if (!(thrown instanceof Error && thrown.message.includes('does not support SSL'))) throw thrown;
    return connectOnce(guard, access, { ssl: false, signal });
  }
}

function sslModeOf({ server, properties }: PgAccess): SslMode {
  const told = properties['sslmode'] ?? 'prefer';
  const mode = ownValue(SSL_MODES, told);
  if (mode !== undefined) return mode;
  throw new SourceFailure('refused', `pgsql:${server}: sslmode must be one of ${Object.keys(SSL_MODES).join(', ')}`);
}

/** Only verifying modes check the certificate; `prefer` and `require` protect against eavesdropping, not against impersonation. */
function tlsOptions(mode: SslMode, { host, properties }: PgAccess): ConnectionOptions {
  const isVerifying = mode === 'verify-ca' || mode === 'verify-full';
  const ca = properties['sslrootcert'];
  return {
    rejectUnauthorized: isVerifying,
    ...(isVerifying && ca !== undefined && ca !== 'system' ? { ca } : {}),
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
    ...(mode === 'verify-full' ? { host } : {}),
  };
}

async function connectOnce(
  guard: Pick<NetworkGuard, 'connect'>,
  access: PgAccess,
  { ssl, signal }: { readonly ssl: ConnectionOptions | false; readonly signal: AbortSignal },
): Promise<PgClient> {
  const { host, port, database, server, username, password } = access;
  if (username === null) throw new SourceFailure('authentication', `pgsql:${server}: no user name is registered for ${server}`);
  let isEnded = false;
  const socket = guard.connect({ host, port });
  const client = new Client({
    host,
    port,
    database,
    user: username,
    // A function: without a password the driver must not look for one in the environment or the home folder of the server's operator.
    password: async () => password ?? '',
    ssl,
    // The socket is connecting already; the driver waits for it.
    stream: () => Object.assign(socket, { connect: () => socket }),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: APPLICATION,
    keepAlive: true,
  });
  const destroy = (): void => {
    isEnded = true;
    socket.destroy();
  };
  // Ignored while the connection is idle; its user gets the error from the pending operation.
  client.on('error', destroy);
  client.on('end', () => void (isEnded = true));
  signal.addEventListener('abort', destroy, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect();
  } catch (thrown) {
    destroy();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', destroy);
  }
  // The driver stores the server's key for cancelling, but its types do not declare it.
  const { processID: processId, secretKey } = client as unknown as { readonly processID: number; readonly secretKey: number };
  return { client, key: () => ({ processId, secretKey }), destroy, isEnded: () => isEnded };
}
