import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { pinoHttp, type HttpLogger } from 'pino-http';

import { isDiskFull } from './is-disk-full.ts';
import type { Logger } from './logger.ts';

/**
 * Logs one line per request: method, path, status, duration, request id, and the id of a query. Never a header, a body or
 * the query string, which may hold arguments. The request id is the caller's `X-Request-Id` if it is valid, and is echoed.
 */
export function createRequestLog(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    genReqId: takeRequestId,
    // One child logger per request, used by all lines about it.
    customAttributeKeys: { req: 'request', res: 'response', responseTime: 'durationMs' },
    wrapSerializers: false,
    serializers: {
      request: (req: IncomingMessage) => ({ id: req.id, method: req.method, path: pathOf(req) }),
      response: ({ statusCode, errorCode, queryId }: ServerResponse) => ({
        status: statusCode,
        ...(errorCode && { code: errorCode }),
        ...(queryId && { queryId }),
      }),
    },
    customLogLevel: (_req, res) => levelOf(res),
    customSuccessMessage: (_req, res) => (res.writableFinished ? 'request answered' : 'request ended early'),
    customErrorMessage: () => 'request failed',
    // Without an exception the status alone reports the failure; the stack of the logging code would be misleading.
    customErrorObject: (_req, res, _error, line: object) => (res.err === undefined ? { ...line, err: undefined } : line),
  });
}

/** The id that the request log gave to a request. */
export function requestIdOf(req: IncomingMessage): string {
  return typeof req.id === 'string' ? req.id : '';
}

const USABLE_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

function takeRequestId(req: IncomingMessage, res: ServerResponse): string {
  const given = req.headers['x-request-id'];
  const id = typeof given === 'string' && USABLE_ID.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', id);
  return id;
}

function pathOf(req: IncomingMessage): string {
  const url = req.url ?? '/';
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function levelOf(res: ServerResponse): 'error' | 'warn' | 'info' {
  // Also for a failure after the head of a successful response, which was then aborted.
  if (res.errorCode === 'internal_error') return 'error';
  // The caller learns that storage is full; only the operator can free it.
  if (isDiskFull(res.err)) return 'warn';
  return res.statusCode < 500 ? 'info' : 'warn';
}
