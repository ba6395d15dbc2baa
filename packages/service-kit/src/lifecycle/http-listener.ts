import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { ServiceError, answerError } from '@svc/errors';

import { StartError } from './start-error.ts';

/** Where and how a server listens. */
export interface HttpListenerOptions {
  /** Shown in messages: `executor`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly listener: RequestListener;
  /** Until a request's head must have arrived (slow clients hold no socket for ever). */
  readonly headersTimeoutMs?: number;
  /** Until a whole request, its body too, must have arrived. */
  readonly requestTimeoutMs?: number;
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
  const listener: RequestListener = (req, res) => {
    running.add(res);
    res.once('close', () => running.delete(res));
    if (isDraining) res.setHeader('Connection', 'close');
    options.listener(req, res);
  };
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? 15_000,
      requestTimeout: options.requestTimeoutMs ?? 120_000,
      keepAliveTimeout: 65_000,
      // The application refuses a request without one, in the form of its other errors.
      requireHostHeader: false,
      // How often the two limits above are looked at.
      connectionsCheckingInterval: Math.min(1000, options.headersTimeoutMs ?? 1000),
    },
    listener,
  );
  // The body reader says "continue" once nothing speaks against the request any more.
  server.on('checkContinue', listener);
  // A server may ignore what else is expected of it.
  server.on('checkExpectation', listener);
  server.on('clientError', answerBrokenRequest);
  await listen(server, options);
  const drain = async (timeoutMs: number): Promise<number> => {
    isDraining = true;
    for (const res of running) if (!res.headersSent) res.setHeader('Connection', 'close');
    return closeServer(server, { running, timeoutMs });
  };
  return { url: urlOf(server, options.host), server, drain };
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

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use by another process',
  EACCES: 'this user may not use the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the address is unknown',
};

function explainListenError(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
  return LISTEN_ERRORS[code] ?? `the system refuses it (${code})`;
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

/**
 * What Node's parser refuses is answered in the form of other errors. Where the application knows the request already, since only its body
 * is broken or late, the answer has the headers of every answer to it.
 */
function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  const known = (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
  const hasLeft = error.code === 'ECONNRESET' || (known !== undefined && error.code === 'HPE_INVALID_EOF_STATE');
  // An answer that is still to come belongs to a request that was whole, and not to what came after it.
  if (!socket.writable || hasLeft || known?.headersSent === true || known?.req.complete === true) {
    socket.destroy();
    return;
  }
  const failure = describeBrokenRequest(error.code);
  const { status, headers, body } = answerError(failure, '');
  const text = JSON.stringify(body);
  const head = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(text)), Connection: 'close' });
  if (known !== undefined) {
    known.errorCode = failure.code;
    known.writeHead(status, head.flat()).end(text);
    return;
  }
  const lines = [`HTTP/1.1 ${status} ${STATUS_PHRASES[status] ?? ''}`, ...head.map(([name, value]) => `${name}: ${value}`), '', text];
  socket.end(lines.join('\r\n'), () => socket.destroy());
}

const STATUS_PHRASES: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout' };

function describeBrokenRequest(code: string | undefined): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ServiceError('request_timeout', 'The request did not arrive in time.');
  const isLong = code === 'HPE_HEADER_OVERFLOW';
  return new ServiceError('bad_request', isLong ? 'The head of the request is too long.' : 'The request is not HTTP.');
}
