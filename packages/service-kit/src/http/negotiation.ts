import type { Request } from 'express';

import { ServiceError } from '@svc/errors';

import type { Route } from '../routes/route.ts';

/** Errors can be the answer of any request. */
const ERROR_TYPES = ['application/json', 'application/problem+json'];

/**
 * Compiles the check of a route's `Accept` header, which rejects (406) one that excludes every type of the response. A route
 * without a response body rejects none.
 */
export function compileAcceptCheck(route: Pick<Route<never>, 'responses'>): (req: Request) => void {
  const types = Object.values(route.responses).flatMap((response) => Object.keys(response.content ?? {}));
  if (types.length === 0) return () => undefined;
  // Accept may name the charset, which is always UTF-8.
  const offered = [...new Set([...types, ...ERROR_TYPES])].flatMap((type) => [type, `${type}; charset=utf-8`]);
  return (req) => {
    const accept = req.headers.accept?.trim() ?? '';
    if (accept === '' || accept === '*/*' || req.accepts(offered) !== false) return;
    throw new ServiceError('not_acceptable', [...new Set(types)].join(', '));
  };
}

/** Returns whether the Accept header names problem details (RFC 9457); a wildcard does not count. */
export function wantsProblem(req: Request): boolean {
  const accept = req.headers.accept;
  return (
    accept !== undefined && accept.includes('problem+json') && req.accepts().some((type) => type.startsWith('application/problem+json'))
  );
}
