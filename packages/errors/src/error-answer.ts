import { STATUS_CODES } from 'node:http';

import { isQueryFailure, type QueryFailureBody } from './query-failure.ts';
import { isServiceError, ServiceError } from './service-error.ts';

/** An error response: a status, headers and a JSON body. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Converts an exception to a response; the only place that does. Coded errors and query failures show their public text; any
 * other is `internal_error`, which shows nothing but the request id: the caller logs it.
 */
export function answerError(thrown: unknown, requestId: string): ErrorAnswer {
  if (isQueryFailure(thrown)) {
    const body: QueryFailureBody = { validationErrors: thrown.validationErrors, runtimeError: thrown.runtimeError };
    return { status: 400, headers: { 'Content-Type': JSON_TYPE }, body: { ...body } };
  }
  const error = isServiceError(thrown) ? thrown : new ServiceError('internal_error', requestId);
  return {
    status: error.status,
    headers: { ...error.headers, 'Content-Type': JSON_TYPE },
    // `code` and `message` come first, and no other member can replace them.
    body: { code: error.code, message: error.message, ...withoutReserved(error.members) },
  };
}

/**
 * Converts an exception to RFC 9457 problem details: `type`, `title`, `status`, `detail` (the message), and the usual
 * members. For callers whose `Accept` names `application/problem+json`.
 */
export function answerProblem(thrown: unknown, requestId: string): ErrorAnswer {
  const plain = answerError(thrown, requestId);
  const detail = isQueryFailure(thrown) ? thrown.message : plain.body['message'];
  return {
    status: plain.status,
    headers: { ...plain.headers, 'Content-Type': PROBLEM_TYPE },
    body: { type: 'about:blank', title: STATUS_CODES[plain.status] ?? 'Error', status: plain.status, detail, ...plain.body },
  };
}

/** Returns whether an exception is an internal fault, to be logged as an error, and not one that a caller can cause. */
export function isUnexpected(thrown: unknown): boolean {
  return !isQueryFailure(thrown) && !(isServiceError(thrown) && thrown.code !== 'internal_error');
}

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

function withoutReserved(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== 'code' && name !== 'message'));
}
