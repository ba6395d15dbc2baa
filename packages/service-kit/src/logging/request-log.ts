import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { pinoHttp, type HttpLogger } from 'pino-http';

import { isDiskFull } from './is-disk-full.ts';
import type { Logger } from './logger.ts';

/**
 * One line per request: method, path, status, duration, request id, and that of a query. Never a header, a body or the text after `?`,
 * which may hold arguments of a query. The id is the caller's `X-Request-Id` where it is usable, and is echoed.
 */
export function createRequestLog(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    genReqId: takeRequestId,
    // One child logger a request, which every line about it goes through.
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
    // Nothing but the status says that it failed: the place where that was seen is no cause.
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
  // Also where it came after the head of a good answer, which was then cut off.
  if (res.errorCode === 'internal_error') return 'error';
  // The caller is told that there is no room; it is the operator who can make some.
  if (isDiskFull(res.err)) return 'warn';
  return res.statusCode < 500 ? 'info' : 'warn';
}
