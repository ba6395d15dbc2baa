import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { Logger } from '../logging/logger.ts';
import { brokenRequestListener } from './broken-requests.ts';
import { answerHalfClosed } from './half-closed-clients.ts';
import { refuseSlowClients, type SlowClientOptions } from './slow-clients.ts';
import { StartError } from './start-error.ts';

/** The defaults of `minBytesPerSecond` and `graceMillis`. */
export const MIN_BYTES_PER_SECOND = 4_096;
export const SLOW_CLIENT_GRACE_MS = 60_000;

/** Where and how a server listens. */
export interface HttpListenerOptions extends Partial<SlowClientOptions> {
  /** Shown in messages: `executor`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly listener: RequestListener;
  /** Until a request's head must have arrived (slow clients hold no socket for ever). */
  readonly headersTimeoutMs?: number;
  /** Headers with an id that answers carry beside `X-Request-Id`, even to what is no request. */
  readonly idHeaders?: readonly string[];
  /** Told of what was no request. */
  readonly logger?: Logger;
}

/** A server that listens, and how it ends. */
export interface HttpListener {
  readonly url: string;
  readonly server: Server;
  /** Takes no new connection; resolves when all requests are answered, or cuts them off after the limit and answers how many. */
  readonly drain: (timeoutMs: number) => Promise<number>;
}

/** Starts to listen. Rejects with a StartError of one clear line where the address cannot be had. */
export async function listenHttp(options: HttpListenerOptions): Promise<HttpListener> {
  const running = new Set<ServerResponse>();
  let isDraining = false;
  const serve = oneAtATime(options.listener);
  const listener: RequestListener = (req, res) => {
    running.add(res);
    res.once('close', () => running.delete(res));
    if (isDraining) res.setHeader('Connection', 'close');
    serve(req, res);
  };
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? 15_000,
      // A body may take long, if it keeps coming.
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
      // The application refuses a request without one, in the form of its other errors.
      requireHostHeader: false,
      // How often the limit above is looked at.
      connectionsCheckingInterval: Math.min(1000, options.headersTimeoutMs ?? 1000),
    },
    listener,
  );
  // The body reader says "continue" once nothing speaks against the request any more.
  server.on('checkContinue', listener);
  // A server may ignore what else is expected of it.
  server.on('checkExpectation', listener);
  const { idHeaders = [], logger } = options;
  server.on('clientError', brokenRequestListener({ idHeaders: ['X-Request-Id', ...idHeaders], logger }));
  answerHalfClosed(server);
  const { minBytesPerSecond = MIN_BYTES_PER_SECOND, graceMillis = SLOW_CLIENT_GRACE_MS } = options;
  refuseSlowClients(server, running, { minBytesPerSecond, graceMillis, logger });
  await listen(server, options);
  const drain = async (timeoutMs: number): Promise<number> => {
    isDraining = true;
    for (const res of running) if (!res.headersSent) res.setHeader('Connection', 'close');
    return closeServer(server, { running, timeoutMs });
  };
  return { url: urlOf(server, options.host), server, drain };
}

/**
 * A client may send its next requests before it has read an answer. Each waits for the answer before it: else one connection could have
 * thousands of answers made, and held until it reads them.
 */
function oneAtATime(listener: RequestListener): RequestListener {
  const last = new WeakMap<Socket, ServerResponse>();
  return (req, res) => {
    const { socket } = req;
    const before = last.get(socket);
    last.set(socket, res);
    res.once('close', () => {
      if (last.get(socket) === res) last.delete(socket);
    });
    if (before === undefined) listener(req, res);
    else
      before.once('close', () => {
        if (!socket.destroyed) listener(req, res);
      });
  };
}

async function listen(server: Server, { name, host, port }: HttpListenerOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host, port }, resolve);
  try {
    await promise;
  } catch (error) {
    throw new StartError(`${name} cannot listen on ${host} port ${port}: ${explainListenError(error)}`, { cause: error });
  }
  server.off('error', reject);
}

const LISTEN_ERRORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EADDRINUSE: 'the port is in use by another process',
    EACCES: 'this user may not use the port',
    EADDRNOTAVAIL: 'this machine does not have the address',
    ENOTFOUND: 'the address is unknown',
  }),
);

function explainListenError(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
  return LISTEN_ERRORS.get(code) ?? `the system refuses it (${code})`;
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function closeServer(
  server: Server,
  limits: { readonly running: ReadonlySet<ServerResponse>; readonly timeoutMs: number },
): Promise<number> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // Closes idle connections too.
  server.close(() => resolve());
  let cutOff = 0;
  const timer = setTimeout(() => {
    cutOff = limits.running.size;
    server.closeAllConnections();
  }, limits.timeoutMs);
  await closed;
  clearTimeout(timer);
  return cutOff;
}
