import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { ServiceError, answerError } from '@svc/errors';

import type { Logger } from '../logging/logger.ts';

/** Time for which a client with a malformed request may go on sending: one that is disconnected at once may miss the response. */
const DISCARD_MILLIS = 1000;

/** Options of the responses to malformed requests. */
export interface BrokenRequestOptions {
  /** Header names for a generated id, each time a new one: for an unreadable request the intended one is unknown. */
  readonly idHeaders: readonly string[];
  readonly logger?: Logger | undefined;
}

/** No answer of some services may be stored, and the path of an unreadable request is unknown. */
const NO_STORE = { 'Cache-Control': 'no-store' };

type BrokenRequestListener = (error: Error & { readonly code?: string }, socket: Socket) => void;

/**
 * Answers requests that Node's parser rejects, in the format of other errors, and logs them. If the application has the
 * request already, because only its body is malformed or late, the response has its usual headers.
 */
export function brokenRequestListener({ idHeaders, logger }: BrokenRequestOptions): BrokenRequestListener {
  const refused = new WeakSet<Socket>();
  return (error, socket) => {
    // The parser emits further errors for the bytes that follow.
    if (refused.has(socket)) return;
    const known = (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
    const hasLeft = error.code === 'ECONNRESET' || (known !== undefined && error.code === 'HPE_INVALID_EOF_STATE');
    // A pending response belongs to a complete request, not to the malformed data after it.
    if (!socket.writable || hasLeft || known?.headersSent === true || known?.req.complete === true) {
      socket.destroy();
      return;
    }
    const failure = describeBrokenRequest(error.code);
    if (known !== undefined) {
      answerKnown(known, failure);
      return;
    }
    refused.add(socket);
    const ids = Object.fromEntries(idHeaders.map((name) => [name, randomUUID()]));
    logger?.info({ ids, response: { status: failure.status, code: failure.code } }, 'what came was no request');
    answerUnknown(socket, failure, ids);
  };
}

function answerKnown(res: ServerResponse, failure: ServiceError): void {
  const { status, headers, text } = answerOf(failure);
  res.errorCode = failure.code;
  // Node detaches a request once it is answered; a reader of its body would wait for the rest.
  res.once('close', () => res.req.destroy());
  res.writeHead(status, Object.entries(headers).flat()).end(text);
}

function answerUnknown(socket: Socket, failure: ServiceError, ids: Readonly<Record<string, string>>): void {
  const { status, headers, text } = answerOf(failure);
  const lines = Object.entries({ ...ids, ...NO_STORE, ...headers, Date: new Date().toUTCString() }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} ${STATUS_PHRASES[status] ?? ''}`, ...lines, '', text].join('\r\n'));
  const timer = setTimeout(() => socket.destroy(), DISCARD_MILLIS);
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
}

const STATUS_PHRASES: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout' };

function answerOf(failure: ServiceError) {
  const { status, headers, body } = answerError(failure, '');
  const text = JSON.stringify(body);
  return { status, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(text)), Connection: 'close' }, text };
}

function describeBrokenRequest(code: string | undefined): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ServiceError('request_timeout', 'The request did not arrive in time.');
  const isLong = code === 'HPE_HEADER_OVERFLOW';
  return new ServiceError('bad_request', isLong ? 'The head of the request is too long.' : 'The request is not HTTP.');
}
