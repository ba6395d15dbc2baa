import cors from 'cors';
import type { RequestHandler } from 'express';

/** Response headers that scripts may read. */
const EXPOSED_HEADERS = [
  'Allow',
  'ETag',
  'Link',
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
    // The package treats any OPTIONS as a preflight; without this header it is a method like others.
    if (req.method === 'OPTIONS' && req.headers['access-control-request-method'] === undefined) next();
    else handle(req, res, next);
  };
}
