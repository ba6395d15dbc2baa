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

/** Options of an HTTP server. */
export interface HttpListenerOptions extends Partial<SlowClientOptions> {
  /** Shown in messages: `executor`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly listener: RequestListener;
  /** Until a request's head must have arrived (slow clients hold no socket for ever). */
  readonly headersTimeoutMs?: number;
  /** Further headers with an id that responses carry beside `X-Request-Id`, even those to malformed requests. */
  readonly idHeaders?: readonly string[];
  /** Receives malformed requests. */
  readonly logger?: Logger;
}

/** A server that listens, and how it ends. */
export interface HttpListener {
  readonly url: string;
  readonly server: Server;
  /** From now on, each connection ends with its next response: a client that reuses one while it is closed loses its request. */
  readonly retire: () => void;
  /** Accepts no new connections; resolves once all requests are answered. After the limit it aborts the rest and returns their number. */
  readonly drain: (timeoutMs: number) => Promise<number>;
}

/** Starts to listen. Rejects with a one-line StartError if the address is not available. */
export async function listenHttp(options: HttpListenerOptions): Promise<HttpListener> {
  const running = new Set<ServerResponse>();
  let isRetired = false;
  const serve = oneAtATime(options.listener);
  const listener: RequestListener = (req, res) => {
    req.url = readableTarget(req.url);
    running.add(res);
    res.once('close', () => running.delete(res));
    if (isRetired) res.setHeader('Connection', 'close');
    serve(req, res);
  };
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? 15_000,
      // A body may take long as long as data arrives.
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
      // The application refuses a request without one, in the form of its other errors.
      requireHostHeader: false,
      // Interval at which the limit above is checked.
      connectionsCheckingInterval: Math.min(1000, options.headersTimeoutMs ?? 1000),
    },
    listener,
  );
  // The body reader sends "100 Continue" once the request has passed all checks.
  server.on('checkContinue', listener);
  // A server may ignore other expectations.
  server.on('checkExpectation', listener);
  const { idHeaders = [], logger } = options;
  server.on('clientError', brokenRequestListener({ idHeaders: ['X-Request-Id', ...idHeaders], logger }));
  answerHalfClosed(server);
  const { minBytesPerSecond = MIN_BYTES_PER_SECOND, graceMillis = SLOW_CLIENT_GRACE_MS } = options;
  refuseSlowClients(server, running, { minBytesPerSecond, graceMillis, logger });
  await listen(server, options);
  const retire = (): void => {
    isRetired = true;
    for (const res of running) if (!res.headersSent) res.setHeader('Connection', 'close');
  };
  const drain = async (timeoutMs: number): Promise<number> => {
    retire();
    return closeServer(server, { running, timeoutMs });
  };
  return { url: urlOf(server, options.host), server, retire, drain };
}

/** Returns the target of a request; as a path if it is no URL: Express would answer such a one by itself, with a page. */
function readableTarget(target = '/'): string {
  return target.startsWith('/') || target === '*' || URL.canParse(target) ? target : `/${encodeURIComponent(target)}`;
}

/**
 * Serializes the requests of a connection. A client may pipeline requests before it reads a response; without this, one
 * connection could have thousands of responses computed and buffered.
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
  // Also closes idle connections.
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
