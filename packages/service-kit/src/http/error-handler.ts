import { types } from 'node:util';

import type { ErrorRequestHandler, Request, Response } from 'express';

import { answerError, answerProblem, isQueryFailure, isServiceError, isUnexpected } from '@svc/errors';

import { requestIdOf } from '../logging/request-log.ts';
import { wantsProblem } from './negotiation.ts';

/** Headers that describe a body which is not sent after all. */
const BODY_HEADERS = ['Content-Length', 'Content-Encoding', 'Content-Disposition', 'Trailer', 'Transfer-Encoding', 'ETag', 'Last-Modified'];

/**
 * Answers an exception of a handler. Internal failures are written to the request's one log line, with their cause. If the
 * response has begun, the connection is destroyed, so that an incomplete body never looks complete.
 */
export function createErrorHandler(toPublic: ToPublic): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => answerFailure(toPublic(thrown), req, res);
}

/** Maps exceptions of the packages below to what the service answers; returns others unchanged. */
export type ToPublic = (thrown: unknown) => unknown;

function answerFailure(thrown: unknown, req: Request, res: Response): void {
  if (res.destroyed || req.socket.destroyed) {
    // The failure was most likely caused by the disconnect itself.
    res.errorCode = 'client_gone';
    return;
  }
  res.errorCode = nameFailure(thrown);
  if (isUnexpected(thrown) || hasCause(thrown)) res.err = toError(thrown);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const answer = (wantsProblem(req) ? answerProblem : answerError)(thrown, requestIdOf(req));
  const body = JSON.stringify(answer.body);
  for (const name of BODY_HEADERS) res.removeHeader(name);
  res.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}

function nameFailure(thrown: unknown): string {
  if (isServiceError(thrown)) return thrown.code;
  return isQueryFailure(thrown) ? 'query_failure' : 'internal_error';
}

function hasCause(thrown: unknown): thrown is Error {
  return types.isNativeError(thrown) && thrown.cause !== undefined;
}

function toError(thrown: unknown): Error {
  return types.isNativeError(thrown) ? thrown : new Error('Something that is no error was thrown.', { cause: thrown });
}
