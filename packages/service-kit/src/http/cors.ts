import cors from 'cors';
import type { RequestHandler } from 'express';

/** Headers of ours that a script may read. */
const EXPOSED_HEADERS = [
  'Allow',
  'ETag',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-SVC-Query-Id',
  'X-SVC-Truncated',
];

/** Lets browsers call from the given origins (`*`: from any). A preflight is answered here: it carries no token. */
export function createCors(origins: readonly string[]): RequestHandler {
  const handle = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
  });
  return (req, res, next) => {
    // The package takes any OPTIONS for a preflight; one without this header is a method like others.
    if (req.method === 'OPTIONS' && req.headers['access-control-request-method'] === undefined) next();
    else handle(req, res, next);
  };
}
